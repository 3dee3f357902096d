package io.teff.cluster.meta;

/** Reason for which a candidate cannot restore a zone. */
public enum Hindrance {
    /** The candidate has too little memory. */
    MEMORY,
    /** The candidate's disk is full, or refuses reads for now. */
    DISK,
    /** The candidate's copy is damaged. */
    DAMAGE
}
