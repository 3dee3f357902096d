package io.teff.rdma.verbs.device;

/** A right of a device to a memory region, or of a peer through a queue pair. */
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
    /** Pages are not pinned: the device finds pages on demand; for devices with this ability. */
    ON_DEMAND(64),
    /** All of the memory is in huge pages. */
    HUGE_PAGES(128),
    /** The device may order writes as it likes; a hint, which some devices ignore. */
    RELAXED_ORDERING(1 << 20);

    /** The first flag of a hint; older functions of the library refuse hints. */
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
