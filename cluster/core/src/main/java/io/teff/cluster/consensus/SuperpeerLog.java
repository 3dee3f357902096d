package io.teff.cluster.consensus;


/** The replicated log as seen by a superpeer, over all members that the superpeer starts one by one. Thread-safe. */
public interface SuperpeerLog extends MetadataLog {

    /** {@return whether the superpeer has its part in the log; nothing is announced before} */
    boolean isMember();

    /**
     * {@return number of members started with a copy of another superpeer's log since the start of this process; a
     * superpeer begins a new life with each}
     */
    int restarts();

    /** {@return whether the log has stopped because the disk is full, and continues as soon as there is room} */
    boolean needsRoom();
}
