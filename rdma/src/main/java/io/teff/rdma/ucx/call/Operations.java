package io.teff.rdma.ucx.call;

import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.call.UcpLayout.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Parameters of operations that all requests share, written once and never changed. */
public final class Operations {
    /** No field is set: a send, a put, a get or a flush of bytes. */
    public static final long PLAIN = operation(0, 0, 0);
    /** An atomic operation on 4 bytes without an answer. */
    public static final long ATOMIC_32 = operation(Operation.HAS_DATA_TYPE, 0, dataType(Integer.BYTES));
    /** An atomic operation on 8 bytes without an answer. */
    public static final long ATOMIC_64 = operation(Operation.HAS_DATA_TYPE, 0, dataType(Long.BYTES));
    /**
     * A tagged receive, with a request even if the receive is done at once: UCX 1.13 does not report tag and length of
     * a message otherwise.
     */
    public static final long TAG_RECEIVE = operation(Operation.IS_NEVER_IMMEDIATE, 0, 0);
    /** An endpoint is closed without waiting for its operations. */
    public static final long CLOSE_FORCE = operation(Operation.HAS_FLAGS, Operation.CLOSE_FORCE, 0);
    /** A stream is received until the buffer is full. */
    public static final long STREAM_WAIT_ALL = operation(Operation.HAS_FLAGS, Operation.STREAM_WAIT_ALL, 0);
    private static final long EAGER = activeMessage(UcxMessageMode.EAGER, 0);
    private static final long RENDEZVOUS = activeMessage(UcxMessageMode.RENDEZVOUS, 0);
    private static final long FIRST = activeMessage(UcxMessageMode.AUTOMATIC, Operation.REPLY);
    private static final long FIRST_EAGER = activeMessage(UcxMessageMode.EAGER, Operation.REPLY);
    private static final long FIRST_RENDEZVOUS = activeMessage(UcxMessageMode.RENDEZVOUS, Operation.REPLY);

    private Operations() {}

    private static long operation(int mask, int flags, long dataType) {
        final MemorySegment memory = Arena.global().allocate(Operation.SIZE, Long.BYTES);
        memory.set(ValueLayout.JAVA_INT, UcpLayout.FIELD_MASK, mask);
        memory.set(ValueLayout.JAVA_INT, Operation.FLAGS, flags);
        memory.set(ValueLayout.JAVA_LONG, Operation.DATA_TYPE, dataType);
        return memory.address();
    }

    private static long activeMessage(UcxMessageMode mode, int flags) {
        return operation(Operation.HAS_FLAGS, mode.flags() | flags, 0);
    }

    /** Returns the data type of contiguous elements of some bytes each. */
    public static long dataType(long elementSize) {
        return elementSize << Operation.ELEMENT_SHIFT;
    }

    /** Returns the parameters of an active message. */
    public static long activeMessage(UcxMessageMode mode) {
        return switch (mode) {
            case AUTOMATIC -> PLAIN;
            case EAGER -> EAGER;
            case RENDEZVOUS -> RENDEZVOUS;
        };
    }

    /**
     * Returns the parameters of the first active message of an endpoint. The message has the flag for a reply. So UCX
     * exchanges the numbers of both endpoints before the message leaves, and not at a later message of some fragments.
     */
    public static long firstActiveMessage(UcxMessageMode mode) {
        return switch (mode) {
            case AUTOMATIC -> FIRST;
            case EAGER -> FIRST_EAGER;
            case RENDEZVOUS -> FIRST_RENDEZVOUS;
        };
    }
}
