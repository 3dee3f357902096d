package io.teff.cluster.service;

/**
 * Ids that are given once in the cluster: ids of blocks, and each block is one step of a counter. Thread-safe, without
 * a message except at the beginning of a block.
 */
public interface IdSource {

    /** {@return an id, from 0, that no call has returned before} Ids rise within the block of one process only. */
    long next();
}
