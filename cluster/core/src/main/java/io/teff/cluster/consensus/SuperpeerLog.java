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

    /**
     * {@return whether a superpeer has a vote in the log, as far as this member knows}
     *
     * @param superpeer number of the superpeer
     */
    boolean isVoter(int superpeer);

    /**
     * Removes a superpeer from the log, by at most one step of the leader. A leader that removes itself hands
     * leadership over. No effect unless this member leads.
     *
     * @param superpeer number of the superpeer
     * @return whether the superpeer is no member of the log any more
     */
    boolean remove(int superpeer);
}
