package io.teff.rdma.verbs.device;

/** What a device may do with a memory region, and what a peer may do through a queue pair. */
public enum Access {
    /** The own device may write: needed for receives, and for the results of reads and atomic operations. */
    LOCAL_WRITE(1),
    /** Peers may write. Needs {@link #LOCAL_WRITE}. */
    REMOTE_WRITE(2),
    /** Peers may read. */
    REMOTE_READ(4),
    /** Peers may use atomic operations. Needs {@link #LOCAL_WRITE}. */
    REMOTE_ATOMIC(8),
    /** Memory windows may be bound to the region. */
    WINDOW_BIND(16),
    /** Addresses of peers are offsets from the beginning of the region. */
    ZERO_BASED(32),
    /** Pages are not pinned but found by the device when it needs them; for devices that can do that. */
    ON_DEMAND(64),
    /** All of the memory is in huge pages. */
    HUGE_PAGES(128),
    /** The device may order writes as it likes; a hint, which devices that know nothing of it leave out. */
    RELAXED_ORDERING(1 << 20);

    /** Flags from this one on are hints, which older functions of the library refuse. */
    static final int OPTIONAL = 1 << 20;

    private final int mask;

    Access(int mask) {
        this.mask = mask;
    }

    /** {@return the flag of ibv_access_flags} */
    public int mask() {
        return mask;
    }

    /**
     * {@return the flags of ibv_access_flags of some rights together}
     *
     * @param rights in any order
     */
    public static int maskOf(Access... rights) {
        int mask = 0;
        for (Access right : rights) {
            mask |= right.mask;
        }
        return mask;
    }
}
