package io.teff.rdma.verbs.queue;

import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.device.AddressHandle;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work requests that are posted together, built in place: begin a request by its operation, then add memory and flags.
 * Allocates nothing after its creation. Belongs to one thread at a time.
 *
 * <pre>{@code
 * batch.write(7, peerAddress, peerKey).add(region, 0, 4096)
 *     .send(8).add(region, 4096, 64).signalled();
 * pair.post(batch);
 * }</pre>
 *
 * <p>The batch may be used again at once after posting. The named memory belongs to the device until the completion of
 * the request, or of a later request of the same queue pair; inline data is copied while the batch is built.
 */
public final class SendBatch extends RequestChain {
    private static final ValueLayout.OfInt NETWORK_INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int WRITE = 0;
    private static final int WRITE_IMMEDIATE = 1;
    private static final int SEND = 2;
    private static final int SEND_IMMEDIATE = 3;
    private static final int READ = 4;
    private static final int COMPARE_AND_SWAP = 5;
    private static final int FETCH_AND_ADD = 6;
    private static final int FENCE = 1;
    private static final int SIGNALED = 2;
    private static final int SOLICITED = 4;
    private static final int INLINE = 8;

    private final int inlineMax;
    private final @Nullable AddressHandle[] handles;
    /** Requests of each kind in the chain: with an address handle, with memory of the peer, reads or atomic ones. */
    private int datagramCount;
    private int remoteCount;
    private int readCount;
    private int inlineUsed;
    private int inlineLength;

    /**
     * Creates a batch without room for inline data.
     *
     * @param capacity requests that have room
     * @param segments pieces of memory of each request
     */
    public SendBatch(int capacity, int segments) {
        this(capacity, segments, 0);
    }

    /**
     * Creates a batch.
     *
     * @param capacity requests that have room
     * @param segments pieces of memory of each request
     * @param inlineBytes inline bytes of each request
     */
    public SendBatch(int capacity, int segments, int inlineBytes) {
        super("ibv_post_send", capacity, Math.max(segments, inlineBytes > 0 ? 1 : 0), VerbsLayout.SEND_SIZE,
            inlineBytes, VerbsLayout.SEND_NEXT);
        inlineMax = inlineBytes;
        handles = new AddressHandle[capacity];
    }

    /** Forgets all requests that were not posted. */
    public void clear() {
        reset();
    }

    @Override
    void reset() {
        for (int i = first(); i < end() && datagramCount > 0; i++) {
            handles[i] = null;
        }
        super.reset();
        datagramCount = 0;
        remoteCount = 0;
        readCount = 0;
        inlineUsed = 0;
    }

    @Override
    void dropped(int from, int to) {
        for (int i = from; i < to; i++) {
            final int operation = memory().get(ValueLayout.JAVA_INT, base(i) + VerbsLayout.SEND_OPCODE);
            remoteCount -= operation == SEND || operation == SEND_IMMEDIATE ? 0 : 1;
            readCount -= operation >= READ ? 1 : 0;
            datagramCount -= handles[i] == null ? 0 : 1;
            handles[i] = null;
        }
    }

    private SendBatch begin(int operation, long workId) {
        final long base = begin();
        final MemorySegment memory = memory();
        memory.set(ValueLayout.JAVA_LONG, base + VerbsLayout.SEND_WR_ID, workId);
        memory.set(ValueLayout.JAVA_LONG, base + VerbsLayout.SEND_SG_LIST, segments(base));
        memory.set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_NUM_SGE, 0);
        memory.set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_OPCODE, operation);
        memory.set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_FLAGS, 0);
        inlineLength = 0;
        return this;
    }

    private SendBatch begin(int operation, long workId, long remoteAddress, int remoteKey) {
        begin(operation, workId);
        final long base = current();
        memory().set(ValueLayout.JAVA_LONG, base + VerbsLayout.SEND_REMOTE_ADDR, remoteAddress);
        memory().set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_RKEY, remoteKey);
        remoteCount++;
        return this;
    }

    private SendBatch begin(int operation, long workId, long remoteAddress, int remoteKey, long operand, long swap) {
        begin(operation, workId);
        final long base = current();
        memory().set(ValueLayout.JAVA_LONG, base + VerbsLayout.SEND_REMOTE_ADDR, remoteAddress);
        memory().set(ValueLayout.JAVA_LONG, base + VerbsLayout.SEND_COMPARE_ADD, operand);
        memory().set(ValueLayout.JAVA_LONG, base + VerbsLayout.SEND_SWAP, swap);
        memory().set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_ATOMIC_RKEY, remoteKey);
        remoteCount++;
        readCount++;
        return this;
    }

    private SendBatch immediate(int value) {
        memory().set(NETWORK_INT, current() + VerbsLayout.SEND_IMM_DATA, value);
        return this;
    }

    /**
     * Begins a send, which fills a receive of the peer.
     *
     * @param workId comes back with the completion
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public SendBatch send(long workId) {
        return begin(SEND, workId);
    }

    /**
     * Begins a send with 32 bits that arrive with the completion of the receive.
     *
     * @param workId comes back with the completion
     * @param immediate 32 bits for the peer
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public SendBatch sendImmediate(long workId, int immediate) {
        return begin(SEND_IMMEDIATE, workId).immediate(immediate);
    }

    /**
     * Begins a write to memory of the peer, unnoticed by the peer.
     *
     * @param workId comes back with the completion
     * @param remoteAddress in the memory of the peer
     * @param remoteKey of its region
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public SendBatch write(long workId, long remoteAddress, int remoteKey) {
        return begin(WRITE, workId, remoteAddress, remoteKey);
    }

    /**
     * Begins a write to memory of the peer, which uses up a receive of the peer. 32 bits arrive with the completion of
     * the receive.
     *
     * @param workId comes back with the completion
     * @param remoteAddress in the memory of the peer
     * @param remoteKey of its region
     * @param immediate 32 bits for the peer
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public SendBatch writeImmediate(long workId, long remoteAddress, int remoteKey, int immediate) {
        return begin(WRITE_IMMEDIATE, workId, remoteAddress, remoteKey).immediate(immediate);
    }

    /**
     * Begins a read of memory of the peer, into regions with the right to write locally.
     *
     * @param workId comes back with the completion
     * @param remoteAddress in the memory of the peer
     * @param remoteKey of its region
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public SendBatch read(long workId, long remoteAddress, int remoteKey) {
        begin(READ, workId, remoteAddress, remoteKey);
        readCount++;
        return this;
    }

    /**
     * Begins an atomic compare-and-swap of 8 bytes of the peer; the old value comes into the 8 bytes of the request's
     * memory.
     *
     * @param workId comes back with the completion
     * @param remoteAddress in the memory of the peer, a multiple of 8
     * @param remoteKey of its region
     * @param expected swaps only if this is there
     * @param update the new value
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public SendBatch compareAndSwap(long workId, long remoteAddress, int remoteKey, long expected, long update) {
        return begin(COMPARE_AND_SWAP, workId, remoteAddress, remoteKey, expected, update);
    }

    /**
     * Begins an atomic addition to 8 bytes of the peer; the old value comes into the 8 bytes of the request's memory.
     *
     * @param workId comes back with the completion
     * @param remoteAddress in the memory of the peer, a multiple of 8
     * @param remoteKey of its region
     * @param addend what is added
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public SendBatch fetchAndAdd(long workId, long remoteAddress, int remoteKey, long addend) {
        return begin(FETCH_AND_ADD, workId, remoteAddress, remoteKey, addend, 0);
    }

    /**
     * Adds a piece of memory to the newest request.
     *
     * @param region of the protection domain of the queue pair
     * @param offset of the first byte
     * @param length in bytes
     * @return this batch
     * @throws IndexOutOfBoundsException if it is not within the region
     * @throws IllegalStateException if the request has no room for it or has inline data; if the region is closed
     */
    public SendBatch add(MemoryRegion region, long offset, int length) {
        if (inlineLength > 0) {
            throw new IllegalStateException("a request has inline data or memory of regions");
        }
        final int count = segment(region.part(offset, length), length, region.localKey());
        memory().set(ValueLayout.JAVA_INT, current() + VerbsLayout.SEND_NUM_SGE, count);
        return this;
    }

    /**
     * Copies bytes into the newest request, which then needs no registered memory. Further calls append. The queue pair
     * must have been made for so many inline bytes.
     *
     * @param source any memory, also of the Java heap; free to be changed at once
     * @param offset of the first byte
     * @param length in bytes
     * @return this batch
     * @throws IndexOutOfBoundsException if it is not within the memory
     * @throws IllegalStateException if the request has no room for it, or names memory of regions
     */
    public SendBatch inline(MemorySegment source, long offset, int length) {
        final long base = current();
        if (segmentCount() > 0 && inlineLength == 0) {
            throw new IllegalStateException("a request has inline data or memory of regions");
        }
        if (length > inlineMax - inlineLength) {
            throw new IllegalStateException("no room for more than " + inlineMax + " bytes of inline data");
        }
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        if (length == 0) {
            return this;
        }
        final MemorySegment memory = memory();
        final long target = inlineBase(base);
        MemorySegment.copy(source, offset, memory, target + inlineLength, length);
        if (inlineLength == 0) {
            segment(address(target), length, 0);
            memory.set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_NUM_SGE, 1);
            return flag(INLINE, length);
        }
        memory.set(ValueLayout.JAVA_INT, segments(base) - address(0) + VerbsLayout.SGE_LENGTH, inlineLength + length);
        return flag(INLINE, length);
    }

    private SendBatch flag(int flag, int inlined) {
        final long at = current() + VerbsLayout.SEND_FLAGS;
        memory().set(ValueLayout.JAVA_INT, at, memory().get(ValueLayout.JAVA_INT, at) | flag);
        inlineLength += inlined;
        inlineUsed = Math.max(inlineUsed, inlineLength);
        return this;
    }

    /**
     * Asks for a completion of the newest request. Failures always have one.
     *
     * @return this batch
     */
    public SendBatch signalled() {
        return flag(SIGNALED, 0);
    }

    /**
     * Asks for an event at a peer that waits for solicited events alone.
     *
     * @return this batch
     */
    public SendBatch solicited() {
        return flag(SOLICITED, 0);
    }

    /**
     * Lets the newest request wait for all earlier reads and atomic operations.
     *
     * @return this batch
     */
    public SendBatch fenced() {
        return flag(FENCE, 0);
    }

    /**
     * Sends the newest datagram to a peer.
     *
     * @param handle its address
     * @param queuePairNumber its queue pair
     * @param queueKey the key of its queue pair
     * @return this batch
     */
    public SendBatch to(AddressHandle handle, int queuePairNumber, int queueKey) {
        final long base = current();
        memory().set(ValueLayout.JAVA_LONG, base + VerbsLayout.SEND_AH, Handles.of(handle));
        memory().set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_REMOTE_QPN, queuePairNumber);
        memory().set(ValueLayout.JAVA_INT, base + VerbsLayout.SEND_REMOTE_QKEY, queueKey);
        if (handles[end() - 1] == null) {
            datagramCount++;
        }
        handles[end() - 1] = handle;
        return this;
    }

    /**
     * Checks the requests against the service and the sizes of a queue pair: a provider may read beyond a request, or
     * write beyond an entry of the queue, if they do not fit.
     *
     * @throws IllegalArgumentException if a request does not fit
     */
    void check(QueuePairSettings granted) {
        final QueuePairType type = granted.type();
        final boolean fits = switch (type) {
            case RC -> datagramCount == 0;
            case UC -> datagramCount == 0 && readCount == 0;
            case UD, UNKNOWN -> datagramCount == count() && remoteCount == 0;
        };
        if (!fits) {
            throw new IllegalArgumentException("a request that a queue pair of type " + type
                + " cannot have: requests=" + count() + " addressed=" + datagramCount + " remote=" + remoteCount
                + " reads=" + readCount);
        }
        if (segmentsUsed() > granted.sendSegments() || inlineUsed > granted.inlineBytes()) {
            throw new IllegalArgumentException("a request that is too large for the queue pair: segments="
                + segmentsUsed() + " of " + granted.sendSegments() + ", inlineBytes=" + inlineUsed + " of "
                + granted.inlineBytes());
        }
    }

    /** Checks that the address handles are open; the caller holds the lock of their domain. */
    void checkHandles(ProtectionDomain domain) {
        for (int i = first(); i < end(); i++) {
            final AddressHandle handle = handles[i];
            if (handle == null || !handle.isOpen() || !Handles.isOf(handle, domain)) {
                throw new IllegalStateException("the address handle of request " + (i - first())
                    + " is closed, or belongs to another protection domain");
            }
        }
    }
}
