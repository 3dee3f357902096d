package io.teff.rdma.verbs.queue;

/** The operation that a completion belongs to. */
public enum CompletionOperation {
    /** A send, with or without immediate data. */
    SEND(0),
    /** A write to the memory of the peer. */
    RDMA_WRITE(1),
    /** A read of the memory of the peer. */
    RDMA_READ(2),
    /** An atomic compare-and-swap. */
    COMPARE_AND_SWAP(3),
    /** An atomic fetch-and-add. */
    FETCH_AND_ADD(4),
    /** A receive that a send of the peer has filled. */
    RECEIVE(128),
    /** A receive that a write with immediate data of the peer has used up. */
    RECEIVE_RDMA_WITH_IMMEDIATE(129),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final CompletionOperation[] ALL = values();

    private final int code;

    CompletionOperation(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_wc_opcode} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static CompletionOperation of(int code) {
        for (CompletionOperation one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
