package io.teff.cluster.meta;

/** State of a copy that an earlier life of a node has left in its log; the node reports it when it has come back. */
public enum CopyState {
    /** The copy has everything that the earlier life has acknowledged. */
    WHOLE,
    /** The machine was without power since: the copy has what its disk had acknowledged, and perhaps no more. */
    CUT,
    /** The copy is damaged. */
    DAMAGED
}
