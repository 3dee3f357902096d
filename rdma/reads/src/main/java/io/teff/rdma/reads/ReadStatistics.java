package io.teff.rdma.reads;

/**
 * What a reader has done since its creation.
 *
 * @param oneSided reads that were answered without the owner
 * @param oneRound those of them that needed one round of reads, because the reader remembered the entry
 * @param repeated rounds whose result was not valid, because the chunk's stripe had changed
 * @param requests reads that the owner was asked for
 */
public record ReadStatistics(long oneSided, long oneRound, long repeated, long requests) {}
