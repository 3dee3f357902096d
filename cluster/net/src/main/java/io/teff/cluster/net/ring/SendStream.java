package io.teff.cluster.net.ring;

import io.teff.cluster.net.wire.Frame;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stream of frames from one node to another, from the first to the last byte: a sequence of rings, usually a single
 * ring, no ring while nothing is to be sent.
 *
 * <p>Threads {@link #put} frames, without a lock while the ring has room. The agent sends the bytes of
 * {@link #sending}, passes on acknowledgements of the peer, and removes the ring when empty. A full ring is followed by
 * a ring of twice the size.
 *
 * <p><b>Answers may exceed the credit.</b> All frames are in one sequence, so a frame without credit would block the
 * answers awaited by the peer: two nodes that send each other requests faster than the answers would deadlock. So
 * messages may use the credit except for the length of the longest frame; answers may exceed the credit. The peer takes
 * answers at once, so there is always credit for the next answer.
 *
 * <p><b>Stacks that end.</b> A thread's stack may end in any call, also in the call that releases a lock object; so the
 * lock is a monitor, because a monitor is left without a call. A thread checks for {@link StackRoom} before making a
 * ring.
 *
 * <p>Thread-safe, except for methods marked "by the agent".
 */
public final class SendStream {
    /** {@link #put}: the frame is put. */
    public static final int OK = 0;
    /** {@link #put}: there is no room now. */
    public static final int FULL = 1;
    /** {@link #put}: the stream has ended. */
    public static final int ENDED = 2;
    /** {@link #put}: no ring takes a frame of this length yet; see {@link #lengthMax}. */
    public static final int TOO_LONG = 3;
    /** Limit of the unacknowledged bytes, over all rings: each ring is twice as large as its predecessor. */
    public static final int UNACKNOWLEDGED_BYTES_MAX = 2 * SendRing.CAPACITY_MAX;

    /** Longest wait: memory given back by another stream wakes no thread of this stream. */
    private static final long SLICE_NS = 10_000_000;
    private static final int NS_PER_MS = 1_000_000;
    private static final byte[] NO_BYTES = new byte[0];

    private final RingPool pool;
    private final int capacityMin;
    private final int capacityMax;
    /** The monitor guards the rings; threads wait for room at the monitor. */
    private final Object lock = new Object();
    private volatile @Nullable SendRing ring;
    /** Guarded by the lock: the oldest ring in use; further rings follow, and threads write to the last ring. */
    private @Nullable SendRing first;
    /** Guarded by the lock: memory for the next ring, if a thread's stack ended before the ring was made. */
    private @Nullable MemorySegment spare;
    private int spareCapacity;
    private volatile boolean isEnded;
    /** Guarded by the lock: end of the last released ring. */
    private long nextStart;
    /** Guarded by the lock: messages in all released rings. */
    private long messagesBefore;
    /** Position to which messages may be put; answers may exceed the limit. */
    private volatile long messageLimit;
    /** Guarded by the lock: threads waiting for room. */
    private int waiting;
    /** By the agent: the ring with the next bytes to send; null if there was no ring at the last check. */
    private @Nullable SendRing sending;

    /**
     * Makes a stream without a frame.
     *
     * @param pool source of memory
     * @param capacityMin bytes of the first ring, a power of two
     * @param capacityMax bytes of the largest ring, a power of two
     * @param messageLimit position to which messages may be put, until {@link #allow}
     */
    public SendStream(RingPool pool, int capacityMin, int capacityMax, long messageLimit) {
        this.pool = pool;
        this.capacityMin = capacityMin;
        this.capacityMax = capacityMax;
        this.messageLimit = messageLimit;
    }

    // ---- putting ----

    /** {@return largest length of a frame that a ring takes now} */
    public int lengthMax() {
        final SendRing now = ring;
        return (now == null ? capacityMin : now.capacity()) / SendRing.FRAMES_MIN;
    }

    /**
     * Puts a frame at the end.
     *
     * @param type of the message
     * @param lane of the message
     * @param flags of the frame
     * @param correlation if required by the flags
     * @param payload bytes
     * @param from index of the first byte
     * @param bytes number of bytes
     * @return OK, FULL, ENDED or TOO_LONG
     */
    public int put(int type, int lane, int flags, long correlation, byte[] payload, int from, int bytes) {
        return put(type, lane, flags, correlation, payload, null, from, bytes);
    }

    /**
     * Puts a frame at the end, with bytes of any memory. If the bytes cannot be read, because their arena was closed or
     * belongs to another thread, the exception reaches the caller, and nothing is put.
     *
     * @param type of the message
     * @param lane of the message
     * @param flags of the frame
     * @param correlation if required by the flags
     * @param payload bytes
     * @param from offset of the first byte
     * @param bytes number of bytes
     * @return OK, FULL, ENDED or TOO_LONG
     */
    public int put(int type, int lane, int flags, long correlation, MemorySegment payload, long from, int bytes) {
        return put(type, lane, flags, correlation, NO_BYTES, payload, from, bytes);
    }

    private int put(int type, int lane, int flags, long correlation, byte[] array, @Nullable MemorySegment segment,
                    long from, int bytes) {
        try {
            return putOpen(type, lane, flags, correlation, array, segment, from, bytes);
        } catch (IllegalStateException e) {                     // the network was closed, and the ring memory freed
            if (!isEnded) {
                throw e;
            }
            return ENDED;
        }
    }

    private int putOpen(int type, int lane, int flags, long correlation, byte[] array,
                        @Nullable MemorySegment segment, long from, int bytes) {
        final int length = Frame.headBytes(flags) + bytes;
        final int units = AbandonedFrames.units(length);
        while (true) {
            final SendRing to = ring;
            if (to == null) {
                if (isEnded) {
                    return ENDED;
                }
                if (!open()) {
                    return FULL;
                }
                continue;
            }
            if (length > to.lengthMax()) {
                return TOO_LONG;
            }
            final AbandonedFrames left = to.abandoned();
            final long position = to.claim(length, until(isUrgent(flags)));
            if (position >= 0) {
                boolean isCommitted = false;
                try {
                    final long at = to.offset(position);
                    Frame.begin(to.memory(), at, type, lane, flags, correlation);
                    if (segment == null) {
                        Frame.copyIn(array, (int) from, to.memory(), at + length - bytes, bytes);
                    } else {
                        MemorySegment.copy(segment, from, to.memory(), at + length - bytes, bytes);
                    }
                    to.commit(position, length);
                    isCommitted = true;
                } finally {
                    if (!isCommitted) {
                        // The stack may have ended, so there is no call from here on. The agent skips the frame.
                        left.marks[(int) (position >>> AbandonedFrames.SHIFT) & left.mask] =
                            (int) (position >>> left.lapShift) << AbandonedFrames.UNIT_BITS | units;
                        left.hasAny = true;
                    }
                }
                return OK;
            }
            if (position == SendRing.FULL) {
                return FULL;
            }
            Thread.onSpinWait();                                // the ring is being removed, or has a successor
        }
    }

    /** Returns whether a frame may exceed the credit: the peer takes an answer at once. */
    private static boolean isUrgent(int flags) {
        return (flags & Frame.RESPONSE) != 0 || flags == Frame.WITHDRAWN;
    }

    private long until(boolean isAnswer) {
        return isAnswer ? Long.MAX_VALUE : messageLimit;
    }

    /** Opens a ring if no ring is open; returns false if there is no memory. */
    private boolean open() {
        StackRoom.ensure();
        synchronized (lock) {
            return isEnded || ring != null || follow(null, capacityMin);
        }
    }

    /**
     * Adds a ring behind all rings; the lock is held. Returns false if there is no memory. The next ring is in place
     * when the previous ring closes: if memory or the stack is exhausted in between, no thread must find a closed ring
     * without a successor. So no call is behind the step that closes the previous ring; until this step the memory is
     * the spare memory.
     */
    private boolean follow(@Nullable SendRing before, int capacity) {
        if (spareCapacity != capacity) {
            giveSpareBack();
        }
        if (spare == null) {
            spare = pool.take(capacity);
            spareCapacity = capacity;
        }
        final MemorySegment memory = spare;
        if (memory == null) {
            return false;
        }
        boolean isThere = false;
        try {
            final SendRing next = new SendRing(memory, capacity, nextStart);
            if (before == null) {
                first = next;
            } else {
                before.closeInFrontOf(next);
                before.follower = next;
            }
            ring = next;
            spare = null;
            isThere = true;
            return true;
        } finally {
            if (!isThere) {
                giveSpareBack();                                // or, without a stack, later
            }
        }
    }

    private void giveSpareBack() {
        final MemorySegment memory = spare;
        if (memory != null) {
            pool.giveBack(memory, spareCapacity);
            spare = null;
        }
    }

    /**
     * Adds a ring of twice the size if the current ring is full, or opens a ring if there is none.
     *
     * @param length of the frame without room
     * @param isAnswer whether the frame is an answer's
     * @return whether there is room now
     */
    public boolean grow(int length, boolean isAnswer) {
        StackRoom.ensure();
        synchronized (lock) {
            final SendRing now = ring;
            if (now == null) {
                return open();
            }
            if (isEnded) {
                return true;
            }
            if (now.tail() + Frame.taken(length) > until(isAnswer)) {
                return false;
            }
            if (now.hasRoom(length)) {
                return true;
            }
            if (now.capacity() >= capacityMax) {
                return false;
            }
            if (!follow(now, now.capacity() * 2)) {
                return false;
            }
            lock.notifyAll();
            return true;
        }
    }

    /**
     * Waits until there may be room for a message, or the stream has ended.
     *
     * @param timeoutNs longest wait in nanoseconds
     * @param length of the frame
     * @return remaining nanoseconds, at most 0 if the time has expired
     * @throws InterruptedException if the thread is interrupted
     */
    public long awaitRoom(long timeoutNs, int length) throws InterruptedException {
        return await(timeoutNs, length, 0);
    }

    /**
     * Waits for room for a frame, or, without a length, for a position other than {@code before}. Allocates nothing.
     */
    private long await(long timeoutNs, int length, long before) throws InterruptedException {
        if (Threads.dropInterrupt()) {
            throw new InterruptedException();
        }
        synchronized (lock) {
            waiting++;
            try {
                final long slice = Math.min(timeoutNs, SLICE_NS);
                final long end = Clock.SYSTEM.nowNs() + slice;
                long left = slice;
                while (left > 0 && !(length == 0 ? isEnded || acked() != before : hasRoom(length))) {
                    lock.wait(left / NS_PER_MS, (int) (left % NS_PER_MS));
                    left = end - Clock.SYSTEM.nowNs();
                }
                return timeoutNs - slice + left;
            } finally {
                waiting--;
            }
        }
    }

    /**
     * Waits until the peer has more of the stream, or the stream has ended, for 10 ms at most.
     *
     * @param timeoutNs longest wait in nanoseconds
     * @return remaining nanoseconds, at most 0 if the time has expired
     * @throws InterruptedException if the thread is interrupted
     */
    public long awaitChange(long timeoutNs) throws InterruptedException {
        return await(timeoutNs, 0, acked());
    }

    /**
     * Returns whether there is credit for a message, and room for many messages of this length: waiters are not woken
     * for a single message.
     */
    private boolean hasRoom(int length) {
        final SendRing now = ring;
        return isEnded || now != null && now.hasRoom(now.lengthMax())
            && now.tail() + Frame.taken(length) <= messageLimit;
    }

    /** {@return whether the stream has ended} */
    public boolean isEnded() {
        return isEnded;
    }

    // ---- asking ----

    /** {@return the number of messages in the stream that the agent has found; any thread} */
    public long messages() {
        synchronized (lock) {
            return messagesBefore + sum(SendRing::messages);
        }
    }

    /** {@return bytes of the stream that the peer may not have, approximately; any thread} */
    public long unacknowledgedBytes() {
        synchronized (lock) {
            return sum(it -> it.tail() - it.acked());
        }
    }

    /** {@return bytes of all rings; any thread} */
    public long ringBytes() {
        synchronized (lock) {
            return sum(it -> it.memory().byteSize()) + (spare == null ? 0 : SendRing.bytes(spareCapacity));
        }
    }

    // ---- by the agent ----

    /**
     * Returns the ring with the next bytes to send; by the agent.
     *
     * @return the ring with the next bytes of the stream, present or future; null if there is no ring
     */
    public @Nullable SendRing sending() {
        SendRing now = sending;
        if (now == null ? ring != null : now.isClosed() && now.sent() == now.tail()) {
            now = next(now);
            sending = now;
        }
        if (now != null) {
            now.committed();
        }
        return now;
    }

    private @Nullable SendRing next(@Nullable SendRing before) {
        synchronized (lock) {
            boolean isBehind = before == null;
            for (SendRing its = first; its != null; its = its.follower) {
                if (isBehind) {
                    return its;
                }
                isBehind = its == before;
            }
            return before;
        }
    }

    /** {@return whether there are frames, complete or not, that no link has taken; by the agent} */
    public boolean hasUnsent() {
        final SendRing now = sending();
        return now != null && now.sent() != now.tail();
    }

    /** {@return whether the peer has everything; by the agent} */
    public boolean isEmpty() {
        synchronized (lock) {
            return sum(it -> it.acked() == it.tail() ? 0 : 1) == 0;
        }
    }

    /**
     * Counts the complete messages possibly missing at the peer; by the agent.
     *
     * @param isEnded whether a request, named by its correlation, has ended; such requests do not count
     * @return number of messages
     */
    public long unacknowledged(LongPredicate isEnded) {
        synchronized (lock) {
            return sum(it -> it.unacknowledged(isEnded));
        }
    }

    /** {@return the position up to which the peer has everything; by the agent} */
    public long acked() {
        synchronized (lock) {
            return first == null ? nextStart : first.acked();
        }
    }

    /**
     * Sets the limit of messages; by the agent.
     *
     * @param position to which messages may be put
     */
    public void allow(long position) {
        messageLimit = position;
        synchronized (lock) {
            if (waiting > 0) {
                lock.notifyAll();
            }
        }
    }

    /**
     * Takes an acknowledgement of the peer; by the agent.
     *
     * @param position to which the peer has everything
     * @return false if no sent frame ends at the position
     */
    public boolean acknowledge(long position) {
        synchronized (lock) {
            boolean isRight = true;
            boolean isDone = true;
            for (SendRing its = first; its != null && isDone; its = first) {
                isRight = its.acknowledge(its.isClosed() ? Math.min(position, its.tail()) : position);
                isDone = isRight && its.isDone();
                if (isDone) {
                    remove(its);
                }
            }
            isRight &= !isDone || position == nextStart;
            if (waiting > 0) {
                lock.notifyAll();
            }
            return isRight;
        }
    }

    /** Removes the first ring, done and all zero; the lock is held. */
    private void remove(SendRing oldest) {
        first = oldest.follower;
        nextStart = oldest.tail();
        messagesBefore += oldest.messages();
        if (ring == oldest) {
            ring = null;
        }
        if (sending == oldest) {
            sending = null;
        }
        pool.giveBack(oldest.memory(), oldest.capacity());
    }

    private long sum(ToLongFunction<SendRing> of) {
        long sum = 0;
        for (SendRing its = first; its != null; its = its.follower) {
            sum += of.applyAsLong(its);
        }
        return sum;
    }

    /** Begins with a new link: frames missing at the peer are sent again; by the agent. */
    public void rewind() {
        synchronized (lock) {
            for (SendRing its = first; its != null; its = its.follower) {
                its.rewind();
            }
            sending = first;
        }
    }

    /**
     * Removes the ring if the peer has everything; by the agent.
     *
     * @return whether there is no ring now
     */
    public boolean rest() {
        synchronized (lock) {
            final SendRing now = ring;
            if (now != null && now == first && now.closeIfEmpty()) {
                remove(now);
            }
            giveSpareBack();
            return ring == null;
        }
    }

    /** Ends the stream: nothing can be put any more, and waiters return; by the agent. */
    public void end() {
        synchronized (lock) {
            isEnded = true;
            if (ring != null) {
                ring.close();
                ring = null;
            }
            lock.notifyAll();
        }
    }

    /**
     * Gives back the memory of an ended stream, once no thread writes to the stream any more; by the agent.
     *
     * @return whether no memory is left
     */
    public boolean giveBack() {
        synchronized (lock) {
            assert isEnded : "goes on";
            giveSpareBack();
            for (SendRing its = first; its != null && its.committed() == its.tail(); its = first) {
                its.memory().fill((byte) 0);
                remove(its);
            }
            return first == null;
        }
    }

    // ---- checking ----

    /**
     * Audits the rings, and checks that each ring begins at the end of its predecessor, with twice the predecessor's
     * size; by the agent, while no thread puts.
     *
     * @throws IllegalStateException if a check fails
     */
    public void audit() {
        synchronized (lock) {
            SendRing before = null;
            boolean isSentHere = sending == null;
            for (SendRing its = first; its != null; its = its.follower) {
                its.audit();
                isSentHere |= its == sending;
                if (before == null ? its.acked() < nextStart : !before.isClosed() || its.acked() < before.tail()
                    || its.capacity() != 2 * before.capacity()) {
                    throw new IllegalStateException("stream: a ring of " + its.capacity() + " at " + its.acked()
                        + " does not follow the end at " + (before == null ? nextStart : before.tail()));
                }
                before = its;
            }
            if (before != null && before.capacity() > capacityMax) {
                throw new IllegalStateException("stream: a ring of " + before.capacity() + ", not " + capacityMax);
            }
            if (ring != (isEnded ? null : before) || !isSentHere) {
                throw new IllegalStateException("stream: the written ring is not the last, or the sent one is none;"
                    + " ended " + isEnded);
            }
        }
    }
}
