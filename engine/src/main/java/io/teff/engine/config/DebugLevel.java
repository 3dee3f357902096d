package io.teff.engine.config;

/** How much a store checks its own memory; chosen when it is opened. */
public enum DebugLevel {
    /** Production: checks slot states, double frees and sizes, at no further cost. */
    OFF,
    /** In addition, 16 bytes of canaries around each chunk, checked when it is freed. */
    CANARIES,
    /**
     * In addition, freed memory is filled with a pattern, kept in quarantine and checked; an audit every 65,536
     * changes.
     */
    QUARANTINE,
    /**
     * Each chunk ends at an inaccessible page, and is inaccessible after it was freed: a stray access ends the process
     * at the instruction that did it. Needs native access, and 8 KiB or more per chunk. For one thread at a time: an
     * optimistic read that races with a remove would end the process too, although it is harmless otherwise.
     */
    GUARD_PAGES
}
