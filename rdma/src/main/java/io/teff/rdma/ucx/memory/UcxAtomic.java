package io.teff.rdma.ucx.memory;

/**
 * An atomic change of a word of remote memory, without an answer. Answers come from fetch-and-add, swap and
 * compare-and-swap: UCX 1.13 computes fetching forms of the rest wrongly over shared memory, so these forms are not
 * bound.
 */
public enum UcxAtomic {
    /** Adds the operand. */
    ADD(0),
    /** Keeps the bits that the operand has. */
    AND(3),
    /** Sets the bits that the operand has. */
    OR(4),
    /** Flips the bits that the operand has. */
    XOR(5);

    private final int code;

    UcxAtomic(int code) {
        this.code = code;
    }

    /** {@return the value of {@code ucp_atomic_op_t}} */
    public int code() {
        return code;
    }
}
