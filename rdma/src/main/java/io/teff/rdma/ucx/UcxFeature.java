package io.teff.rdma.ucx;

/** What a context is going to be used for. UCX chooses transports with all features of the context. */
public enum UcxFeature {
    /** Tagged messages. */
    TAG(0),
    /** Remote memory: put and get. */
    REMOTE_MEMORY(1),
    /** Atomic operations on 4 bytes of remote memory. */
    ATOMIC_32(2),
    /** Atomic operations on 8 bytes of remote memory. */
    ATOMIC_64(3),
    /** Waiting for events instead of polling for them. */
    WAKEUP(4),
    /** Streams. */
    STREAM(5),
    /** Active messages. */
    ACTIVE_MESSAGE(6);

    private final long bit;

    UcxFeature(int index) {
        bit = 1L << index;
    }

    /** {@return the bit of this feature in the parameters of a context} */
    public long bit() {
        return bit;
    }
}
