package io.teff.cluster.net.ring;

import io.teff.cluster.net.wire.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The stream of frames that one node sends to another, from its first to its last byte: a sequence of rings, usually
 * one, none while nothing is to be sent.
 *
 * <p>Threads {@link #put} frames, without a lock while the ring has room. The agent sends what {@link #sending}
 * returns, passes on acknowledgements of the peer, and removes the ring when it is empty. A full ring is followed by
 * one of twice the size.
 *
 * <p><b>Answers may exceed the credit.</b> All frames are in one sequence, so a frame without credit would block the
 * answers that the peer waits for: two nodes that send each other requests faster than they answer them would deadlock.
 * So messages may use the credit except for the length of the longest frame; answers may exceed it. The peer takes
 * answers at once, so there is always credit for the next one.
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
    /** Limit of the bytes that are not acknowledged, over all rings: each is twice as large as the one before it. */
    public static final int UNACKNOWLEDGED_BYTES_MAX = 2 * SendRing.CAPACITY_MAX;

    /** Longest wait: memory that another stream gives back wakes no thread here. */
    private static final long SLICE_NS = 10_000_000;
    private static final byte[] NO_BYTES = new byte[0];

    private final RingPool pool;
    private final int capacityMin;
    private final int capacityMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable SendRing ring;
    /** Guarded by the lock: all rings that are not done, the oldest first; the last one is written to. */
    private final Deque<SendRing> rings = new ArrayDeque<>();
    private volatile boolean isEnded;
    /** Guarded by the lock: end of the last released ring. */
    private long nextStart;
    /** Guarded by the lock: messages in all released rings. */
    private long messagesBefore;
    /** Position up to which messages may be put; answers may exceed it. */
    private volatile long messageLimit;
    /** Guarded by the lock: threads that wait for room. */
    private int waiting;
    /** By the agent: the ring whose bytes are sent next; null if there was none at the last check. */
    private @Nullable SendRing sending;

    /**
     * Makes a stream without a frame.
     *
     * @param pool source of memory
     * @param capacityMin bytes of the first ring, a power of two
     * @param capacityMax bytes of the largest ring, a power of two
     * @param messageLimit position up to which messages may be put, until {@link #allow}
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
     * @param correlation if the flags require one
     * @param payload bytes
     * @param from first of them
     * @param bytes number of bytes
     * @return OK, FULL, ENDED or TOO_LONG
     */
    public int put(int type, int lane, int flags, long correlation, byte[] payload, int from, int bytes) {
        return put(type, lane, flags, correlation, payload, null, from, bytes);
    }

    /**
     * Puts a frame at the end, with bytes of any memory. If they cannot be read, as their arena was closed or belongs
     * to another thread, the exception is the caller's, and nothing is put.
     *
     * @param type of the message
     * @param lane of the message
     * @param flags of the frame
     * @param correlation if the flags require one
     * @param payload bytes
     * @param from first of them
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
        } catch (IllegalStateException e) {                     // the network was closed, and its memory freed
            if (!isEnded) {
                throw e;
            }
            return ENDED;
        }
    }

    private int putOpen(int type, int lane, int flags, long correlation, byte[] array,
                        @Nullable MemorySegment segment, long from, int bytes) {
        final int length = Frame.headBytes(flags) + bytes;
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
                        synchronized (to.abandonedLock) {
                            to.abandoned = new Object[] {new long[] {position, length}, to.abandoned};
                        }
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

    /** Returns whether a frame may exceed the credit: the peer takes it at once. */
    private static boolean isUrgent(int flags) {
        return (flags & Frame.RESPONSE) != 0 || flags == Frame.WITHDRAWN;
    }

    private long until(boolean isAnswer) {
        return isAnswer ? Long.MAX_VALUE : messageLimit;
    }

    /** Opens a ring if there is none; returns false if there is no memory. */
    private boolean open() {
        lock.lock();
        try {
            if (isEnded || ring != null) {
                return true;
            }
            final MemorySegment memory = pool.take(capacityMin);
            if (memory == null) {
                return false;
            }
            follow(null, memory, capacityMin);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a ring behind the others; the lock is held. The new ring is in place before the previous one closes: if
     * memory or the stack is exhausted in between, no thread must find a closed ring without a successor.
     */
    private void follow(@Nullable SendRing before, MemorySegment memory, int capacity) {
        boolean isThere = false;
        SendRing next = null;
        try {
            next = new SendRing(memory, capacity, nextStart);
            rings.add(next);
            if (before != null) {
                before.closeInFrontOf(next);
            }
            ring = next;
            isThere = true;
        } finally {
            if (!isThere) {
                rings.remove(next);
                pool.giveBack(memory, capacity);
            }
        }
    }

    /**
     * Adds a ring of twice the size if the current one is full, or opens one if there is none.
     *
     * @param length of the frame for which there was no room
     * @param isAnswer whether the frame is an answer's
     * @return whether there is room now
     */
    public boolean grow(int length, boolean isAnswer) {
        lock.lock();
        try {
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
            final int capacity = now.capacity() * 2;
            final MemorySegment memory = pool.take(capacity);
            if (memory == null) {
                return false;
            }
            follow(now, memory, capacity);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
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
        lock.lockInterruptibly();
        try {
            waiting++;
            final long slice = Math.min(timeoutNs, SLICE_NS);
            long left = slice;
            while (left > 0 && !hasRoom(length)) {
                left = changed.awaitNanos(left);
            }
            return timeoutNs - slice + left;
        } finally {
            waiting--;
            lock.unlock();
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
        lock.lockInterruptibly();
        try {
            waiting++;
            final long before = acked();
            final long slice = Math.min(timeoutNs, SLICE_NS);
            long left = slice;
            while (left > 0 && !isEnded && acked() == before) {
                left = changed.awaitNanos(left);
            }
            return timeoutNs - slice + left;
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    /**
     * Returns whether there is credit for a message, and room for many messages of its length: waiters are not woken
     * for a single one.
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
        lock.lock();
        try {
            return messagesBefore + rings.stream().mapToLong(SendRing::messages).sum();
        } finally {
            lock.unlock();
        }
    }

    /** {@return bytes of the stream that the peer may not have, approximately; any thread} */
    public long unacknowledgedBytes() {
        lock.lock();
        try {
            return rings.stream().mapToLong(it -> it.tail() - it.acked()).sum();
        } finally {
            lock.unlock();
        }
    }

    /** {@return bytes of all rings; any thread} */
    public long ringBytes() {
        lock.lock();
        try {
            return rings.stream().mapToLong(it -> it.memory().byteSize()).sum();
        } finally {
            lock.unlock();
        }
    }

    // ---- by the agent ----

    /**
     * Returns the ring with the next bytes to send; by the agent.
     *
     * @return the ring that has the next bytes of the stream, or will have them; null if there is no ring
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
        lock.lock();
        try {
            boolean isBehind = before == null;
            for (SendRing ring : rings) {
                if (isBehind) {
                    return ring;
                }
                isBehind = ring == before;
            }
            return before;
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether there are frames, complete or not, that no link has taken; by the agent} */
    public boolean hasUnsent() {
        final SendRing now = sending();
        return now != null && now.sent() != now.tail();
    }

    /** {@return whether the peer has everything; by the agent} */
    public boolean isEmpty() {
        lock.lock();
        try {
            return rings.stream().allMatch(it -> it.acked() == it.tail());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts the complete messages that the peer may not have; by the agent.
     *
     * @param isEnded whether a request, named by its correlation, has ended; such requests do not count
     * @return their number
     */
    public long unacknowledged(LongPredicate isEnded) {
        lock.lock();
        try {
            return rings.stream().mapToLong(it -> it.unacknowledged(isEnded)).sum();
        } finally {
            lock.unlock();
        }
    }

    /** {@return the position up to which the peer has everything; by the agent} */
    public long acked() {
        lock.lock();
        try {
            return rings.isEmpty() ? nextStart : rings.getFirst().acked();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets the limit of messages; by the agent.
     *
     * @param position position up to which messages may be put
     */
    public void allow(long position) {
        messageLimit = position;
        lock.lock();
        try {
            if (waiting > 0) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes an acknowledgement of the peer; by the agent.
     *
     * @param position up to which the peer has everything
     * @return false if no frame that was sent ends there
     */
    public boolean acknowledge(long position) {
        lock.lock();
        try {
            boolean isRight = true;
            boolean isDone = true;
            for (SendRing ring = rings.peekFirst(); ring != null && isDone; ring = rings.peekFirst()) {
                isRight = ring.acknowledge(ring.isClosed() ? Math.min(position, ring.tail()) : position);
                isDone = isRight && ring.isDone();
                if (isDone) {
                    remove(ring);
                }
            }
            isRight &= !isDone || position == nextStart;
            if (waiting > 0) {
                changed.signalAll();
            }
            return isRight;
        } finally {
            lock.unlock();
        }
    }

    /** Removes the first ring, which is done and all zero; the lock is held. */
    private void remove(SendRing first) {
        rings.remove(first);
        nextStart = first.tail();
        messagesBefore += first.messages();
        if (ring == first) {
            ring = null;
        }
        if (sending == first) {
            sending = null;
        }
        pool.giveBack(first.memory(), first.capacity());
    }

    /** Begins with a new link: frames that the peer does not have are sent again; by the agent. */
    public void rewind() {
        lock.lock();
        try {
            rings.forEach(SendRing::rewind);
            sending = rings.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes the ring if the peer has everything; by the agent.
     *
     * @return whether there is no ring now
     */
    public boolean rest() {
        lock.lock();
        try {
            final SendRing now = ring;
            if (now != null && rings.size() == 1 && now.closeIfEmpty()) {
                remove(now);
            }
            return ring == null;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream: nothing can be put any more, and waiters return; by the agent. */
    public void end() {
        lock.lock();
        try {
            isEnded = true;
            if (ring != null) {
                ring.close();
                ring = null;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives back the memory of a stream that has ended, once no thread writes there any more; by the agent.
     *
     * @return whether no memory is left
     */
    public boolean giveBack() {
        lock.lock();
        try {
            assert isEnded : "goes on";
            for (SendRing ring = rings.peekFirst(); ring != null && ring.committed() == ring.tail();
                ring = rings.peekFirst()) {
                ring.memory().fill((byte) 0);
                remove(ring);
            }
            return rings.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    // ---- checking ----

    /**
     * Audits the rings, and checks that each begins where the one before it has ended, with twice its size; by the
     * agent, while no thread puts.
     *
     * @throws IllegalStateException if a check fails
     */
    public void audit() {
        lock.lock();
        try {
            SendRing before = null;
            for (SendRing ring : rings) {
                ring.audit();
                if (before == null ? ring.acked() < nextStart : !before.isClosed() || ring.acked() < before.tail()
                    || ring.capacity() != 2 * before.capacity()) {
                    throw new IllegalStateException("stream: a ring of " + ring.capacity() + " at " + ring.acked()
                        + " does not follow the end at " + (before == null ? nextStart : before.tail()));
                }
                before = ring;
            }
            if (before != null && before.capacity() > capacityMax) {
                throw new IllegalStateException("stream: a ring of " + before.capacity() + ", not " + capacityMax);
            }
            if (ring != (isEnded ? null : before) || sending != null && !rings.contains(sending)) {
                throw new IllegalStateException("stream: the written or sent ring is none of " + rings.size()
                    + " rings, or not the last; ended " + isEnded);
            }
        } finally {
            lock.unlock();
        }
    }
}
