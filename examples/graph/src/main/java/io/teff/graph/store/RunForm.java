package io.teff.graph.store;

/** How the neighbours of a vertex become the bytes of its chunk. */
public enum RunForm {
    /** 4 bytes for each neighbour: fastest to read. */
    PLAIN,
    /** The distance to the neighbour before, in 1 to 5 bytes: takes half of the memory of the plain form or less. */
    PACKED
}
