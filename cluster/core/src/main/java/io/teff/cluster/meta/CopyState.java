package io.teff.cluster.meta;

/** State of a copy left in a node's log by an earlier life; the returned node reports the state. */
public enum CopyState {
    /** The copy has everything acknowledged by the earlier life. */
    WHOLE,
    /** The machine was without power since: the copy has everything acknowledged by the disk, and perhaps no more. */
    CUT,
    /** The copy is damaged. */
    DAMAGED
}
