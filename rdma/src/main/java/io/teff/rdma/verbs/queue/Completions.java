package io.teff.rdma.verbs.queue;

import io.teff.rdma.verbs.call.VerbsLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Room for results that {@link CompletionQueue#poll} has taken, to be used again and again: reading them allocates
 * nothing. Indexes begin with 0. Belongs to one thread at a time.
 */
public final class Completions {
    private static final ValueLayout.OfInt NETWORK_INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int SUCCESS = 0;
    private static final int WITH_HEADER = 1;
    private static final int WITH_IMMEDIATE = 2;

    private final int capacity;
    private final MemorySegment memory;
    private final long address;
    private int count;

    /**
     * Creates room.
     *
     * @param capacity limit of the results of a poll, at least 1
     */
    public Completions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity=" + capacity);
        }
        this.capacity = capacity;
        memory = Arena.ofAuto().allocate(capacity * VerbsLayout.WC_SIZE, Long.BYTES);
        address = memory.address();
    }

    /** {@return how many results one poll can take} */
    public int capacity() {
        return capacity;
    }

    /** {@return how many results the last poll has taken} */
    public int count() {
        return count;
    }

    void filled(int results) {
        count = results;
    }

    long address() {
        return address;
    }

    private long at(int index) {
        return Objects.checkIndex(index, count) * VerbsLayout.WC_SIZE;
    }

    private int number(int index, long field) {
        return memory.get(ValueLayout.JAVA_INT, at(index) + field);
    }

    /**
     * {@return the id of the work request, as it was posted}
     *
     * @param index of the result, from 0 on
     */
    public long workId(int index) {
        return memory.get(ValueLayout.JAVA_LONG, at(index) + VerbsLayout.WC_WR_ID);
    }

    /**
     * {@return whether the request is done} A failed request has an id, a status and the vendor's error alone.
     *
     * @param index of the result, from 0 on
     */
    public boolean isSuccess(int index) {
        return number(index, VerbsLayout.WC_STATUS) == SUCCESS;
    }

    /**
     * {@return how the request ended}
     *
     * @param index of the result, from 0 on
     */
    public CompletionStatus status(int index) {
        return CompletionStatus.of(number(index, VerbsLayout.WC_STATUS));
    }

    /**
     * {@return what the device adds to a failure}
     *
     * @param index of the result, from 0 on
     */
    public int vendorError(int index) {
        return number(index, VerbsLayout.WC_VENDOR_ERR);
    }

    /**
     * {@return the failure of a request; null if it is done}
     *
     * @param index of the result, from 0 on
     */
    public @Nullable FailedCompletion failure(int index) {
        return isSuccess(index) ? null : new FailedCompletion(workId(index), status(index), vendorError(index),
            queuePairNumber(index));
    }

    /**
     * {@return what was done; {@link CompletionOperation#UNKNOWN} for a failed request}
     *
     * @param index of the result, from 0 on
     */
    public CompletionOperation operation(int index) {
        return isSuccess(index) ? CompletionOperation.of(number(index, VerbsLayout.WC_OPCODE))
            : CompletionOperation.UNKNOWN;
    }

    /**
     * {@return how many bytes a receive, a read or an atomic operation has brought}
     *
     * @param index of the result, from 0 on
     */
    public int byteCount(int index) {
        return number(index, VerbsLayout.WC_BYTE_LEN);
    }

    /**
     * {@return whether a receive has immediate data}
     *
     * @param index of the result, from 0 on
     */
    public boolean hasImmediate(int index) {
        return (number(index, VerbsLayout.WC_FLAGS) & WITH_IMMEDIATE) != 0;
    }

    /**
     * {@return the immediate data, as the peer has given it; 0 without}
     *
     * @param index of the result, from 0 on
     */
    public int immediate(int index) {
        return hasImmediate(index) ? memory.get(NETWORK_INT, at(index) + VerbsLayout.WC_IMM_DATA) : 0;
    }

    /**
     * {@return whether the first 40 bytes of a datagram's memory are its header}
     *
     * @param index of the result, from 0 on
     */
    public boolean hasHeader(int index) {
        return (number(index, VerbsLayout.WC_FLAGS) & WITH_HEADER) != 0;
    }

    /**
     * {@return the number of the queue pair of this side}
     *
     * @param index of the result, from 0 on
     */
    public int queuePairNumber(int index) {
        return number(index, VerbsLayout.WC_QP_NUM);
    }

    /**
     * {@return the number of the queue pair that has sent a datagram}
     *
     * @param index of the result, from 0 on
     */
    public int sourceQueuePairNumber(int index) {
        return number(index, VerbsLayout.WC_SRC_QP);
    }
}
