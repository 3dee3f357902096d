package io.teff.rdma.verbs.queue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.call.VerbsLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The memory of a chain of work requests, built in place:
 *
 * <pre>{@code
 *   | bad (8) | request 0 | segments 0 | inline 0 | request 1 | segments 1 | inline 1 | ...
 *             |<------------ stride ------------>|
 * }</pre>
 *
 * Requests from {@code first} to {@code end} wait to be posted; each has the address of the next one, the last has 0. A
 * full queue takes some of them, and the rest stays. Belongs to one thread at a time.
 */
abstract class RequestChain {
    private static final int ENOMEM = 12;
    private static final long BAD_BYTES = 8;

    private final String function;
    private final int capacity;
    private final int segmentsMax;
    private final long requestBytes;
    private final long stride;
    private final long nextField;
    private final MemorySegment memory;
    private final long address;
    private int first;
    private int end;
    /** Segments of the newest request, and of the longest request in the chain. */
    private int segmentCount;
    private int segmentsUsed;

    /** Lays out a chain of requests of a kind. */
    RequestChain(String function, int capacity, int segmentsMax, long requestBytes, long inlineBytes, long nextField) {
        if (capacity < 1 || segmentsMax < 0 || inlineBytes < 0) {
            throw new IllegalArgumentException("capacity=" + capacity + " segments=" + segmentsMax + " inlineBytes="
                + inlineBytes);
        }
        this.function = function;
        this.capacity = capacity;
        this.segmentsMax = segmentsMax;
        this.requestBytes = requestBytes;
        this.nextField = nextField;
        stride = requestBytes + segmentsMax * VerbsLayout.SGE_SIZE + (inlineBytes + Long.BYTES - 1 & -Long.BYTES);
        memory = Arena.ofAuto().allocate(BAD_BYTES + capacity * stride, Long.BYTES);
        address = memory.address();
    }

    /** {@return how many requests wait to be posted} */
    public final int count() {
        return end - first;
    }

    /** {@return how many requests have room} */
    public final int capacity() {
        return capacity;
    }

    /** {@return whether no further request has room} */
    public final boolean isFull() {
        return end == capacity;
    }

    final MemorySegment memory() {
        return memory;
    }

    final int end() {
        return end;
    }

    final int first() {
        return first;
    }

    final long base(int index) {
        return BAD_BYTES + index * stride;
    }

    /** Forgets all requests. */
    void reset() {
        first = 0;
        end = 0;
        segmentsUsed = 0;
    }

    /** Is called before some of the first requests leave the chain, and others stay. */
    void dropped(int from, int to) {}

    /** Begins a request, and returns the offset of its memory. */
    final long begin() {
        if (first == end) {
            reset();
        }
        if (end == capacity) {
            throw new IllegalStateException("no room for more than " + capacity + " requests");
        }
        final long base = base(end);
        memory.set(ValueLayout.JAVA_LONG, base + nextField, 0);
        if (end > first) {
            memory.set(ValueLayout.JAVA_LONG, base - stride + nextField, address + base);
        }
        end++;
        segmentCount = 0;
        return base;
    }

    /** Returns the offset of the newest request. */
    final long current() {
        if (first == end) {
            throw new IllegalStateException("no request was begun");
        }
        return base(end - 1);
    }

    /** Writes a segment behind the others of the current request. Returns how many it has now. */
    final int segment(long target, int length, int key) {
        final long base = current();
        if (segmentCount == segmentsMax) {
            throw new IllegalStateException("no room for more than " + segmentsMax + " segments");
        }
        if (length < 0) {
            throw new IllegalArgumentException("length=" + length);
        }
        final long at = base + requestBytes + segmentCount * VerbsLayout.SGE_SIZE;
        memory.set(ValueLayout.JAVA_LONG, at + VerbsLayout.SGE_ADDR, target);
        memory.set(ValueLayout.JAVA_INT, at + VerbsLayout.SGE_LENGTH, length);
        memory.set(ValueLayout.JAVA_INT, at + VerbsLayout.SGE_LKEY, key);
        segmentCount++;
        segmentsUsed = Math.max(segmentsUsed, segmentCount);
        return segmentCount;
    }

    final int segmentCount() {
        return segmentCount;
    }

    final int segmentsUsed() {
        return segmentsUsed;
    }

    /** Returns the address of the segments of a request. */
    final long segments(long base) {
        return address + base + requestBytes;
    }

    /** Returns the offset of the bytes for inline data of a request. */
    final long inlineBase(long base) {
        return base + requestBytes + segmentsMax * VerbsLayout.SGE_SIZE;
    }

    final long address(long offset) {
        return address + offset;
    }

    /** Returns the address of the first request that waits. */
    final long chain() {
        return address + base(first);
    }

    /** Returns the address at which the library writes the address of the first refused request. */
    final long bad() {
        return address;
    }

    /**
     * Takes the requests out of the chain that were posted.
     *
     * @param error 0, or an errno of either sign
     * @return how many; fewer than there were if the queue is full
     * @throws RdmaException if a request was refused for another reason
     */
    final int posted(int error) {
        final int waiting = end - first;
        if (error == 0) {
            reset();
            return waiting;
        }
        final long bad = memory.get(ValueLayout.JAVA_LONG, 0) - chain();
        final int taken = (int) Math.clamp(bad / stride, 0L, (long) waiting);
        dropped(first, first + taken);
        first += taken;
        if (Math.abs(error) == ENOMEM) {
            return taken;
        }
        reset();
        throw new RdmaException(function + " of request " + taken + " of " + waiting, Math.abs(error));
    }
}
