package io.teff.cluster.meta;

/** What a node that has come back says of a copy that an earlier life has left in its log. */
public enum CopyState {
    /** The copy has everything that the earlier life has acknowledged. */
    WHOLE,
    /** The machine was without power since: the copy has what its disk had acknowledged, and perhaps no more. */
    CUT,
    /** The copy is damaged. */
    DAMAGED
}
