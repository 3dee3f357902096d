package io.teff.engine.config;

/** The extent of the checks that a store makes of its own memory; chosen when the store is opened. */
public enum DebugLevel {
    /** Production: checks of slot states, double frees and sizes, without further cost. */
    OFF,
    /** In addition, 16 bytes of canaries around each chunk, checked when the chunk is freed. */
    CANARIES,
    /**
     * In addition, freed memory is filled with a pattern, kept in quarantine and checked; an audit runs every 65,536
     * changes.
     */
    QUARANTINE,
    /**
     * Each chunk ends at an inaccessible page, and becomes inaccessible when it is freed: a stray access ends the
     * process at the faulting instruction. Needs native access, and 8 KiB or more per chunk. Only for stores that one
     * thread uses at a time: an optimistic read that races with a remove, which is otherwise harmless, ends the process
     * too.
     */
    GUARD_PAGES
}
