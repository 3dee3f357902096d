package io.teff.cluster.meta;

/** Reason for which a candidate cannot restore a zone. */
public enum Hindrance {
    /** It has not enough memory. */
    MEMORY,
    /** Its disk is full, or refuses to be read for now. */
    DISK,
    /** Its copy is damaged. */
    DAMAGE
}
