package io.teff.cluster.net.ring;

import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameChecker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A ring of outgoing frames in memory. Many threads write to the ring, one agent sends from the ring, and frames stay
 * until acknowledged by the peer.
 * <pre>
 *        acked              sent             committed           tail                   limit = acked + capacity
 *  ────────┼──────────────────┼──────────────────┼─────────────────┼─────────────────────────┼──────> positions
 *   zeroed │ kept, to be sent │ to be sent       │ some committed  │ zeros, free             │
 *          │ again on a new   │                  │                 │                         │
 *          │ link             │                  │                 │                         │
 *
 *  offset 0                        capacity        capacity + overhang
 *  ┌───────────────────────────────────┬──────────────────┐
 *  │ ring                              │ overhang         │   a frame that begins in the ring and goes beyond its end
 *  └───────────────────────────────────┴──────────────────┘   goes on here; the next one is where it would have been
 * </pre>
 *
 * <p><b>Claims.</b> A compare-and-set on the tail gives a thread room for a frame and the frame's place in the order.
 * Free room is zero, so a frame is complete when its first word is not zero: the first word is stored last, with
 * release. The agent zeroes acknowledged frames before moving the limit.
 *
 * <p><b>One piece.</b> Thanks to the overhang a frame always lies in one piece, so a frame can be written and read in
 * place; positions have no gaps, and no padding is needed at the end. The bytes in front of the limit are in at most
 * two pieces.
 *
 * <p><b>The end.</b> A ring is closed by a tail out of reach of all claims, in one step: all claims that ever succeeded
 * are in front of {@link #tail()}. The next ring begins at the tail, with memory of another size.
 *
 * <p><b>Abandoned claims.</b> A thread whose stack ends, or whose payload cannot be read, between claim and commit
 * leaves the frame in {@link AbandonedFrames}, without a call. The agent finds frames in order. If a frame is not
 * committed, the agent looks into the abandoned frames, and completes an abandoned frame as a skipped frame, so the
 * frames behind are sent.
 *
 * <p>Commits, and zero as the mark of free memory, are as in Agrona's {@code ManyToOneRingBuffer}. Agrona's ring
 * differs: memory is freed when read, and the end is padded.
 */
public final class SendRing {
    /** {@link #claim}: there is no room now. */
    public static final long FULL = -1;
    /** {@link #claim}: there will never be room in this ring. */
    public static final long CLOSED = -2;

    /** A ring is at least this number of times as long as its longest frame. */
    public static final int FRAMES_MIN = 8;
    /** Smallest capacity in bytes. */
    public static final int CAPACITY_MIN = 4 << 10;
    /** Largest capacity in bytes: a frame may have an eighth of the capacity. */
    public static final int CAPACITY_MAX = FRAMES_MIN * Frame.BYTES_MAX;

    private static final long NO_TAIL = Long.MIN_VALUE;
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[CAPACITY_MIN]);
    private static final VarHandle TAIL;
    private static final VarHandle LIMIT;
    private static final VarHandle MESSAGES;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(SendRing.class, "tail", long.class);
            LIMIT = MethodHandles.lookup().findVarHandle(SendRing.class, "limit", long.class);
            MESSAGES = MethodHandles.lookup().findVarHandle(SendRing.class, "messages", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The next ring of the stream; guarded by the stream's lock. */
    @Nullable SendRing follower;
    /** Claims never committed. */
    private final AbandonedFrames abandoned;
    private final MemorySegment memory;
    private final int capacity;
    /** Written by many threads. */
    private volatile long tail;
    /** Written by the agent. */
    @SuppressWarnings("FieldMayBeFinal")
    private volatile long limit;
    private volatile long lastTail;

    // ---- by the agent ----

    private long acked;
    private long sent;
    /** Position to which the link may have taken bytes. */
    private long given;
    private long committed;
    /** Committed messages, counted at their last frames; read by any thread. */
    @SuppressWarnings("FieldMayBeFinal")
    private long messages;
    /** End of the first frame not sent as a whole. */
    private long sentFrames;
    /** End of the last frame across the end of the ring. */
    private long crossedTo;
    /** Frames in front of this position have a checksum, except frames sent without a checksum. */
    private long checked;
    private @Nullable FrameChecker checker;

    /**
     * Makes an empty ring.
     *
     * @param memory zeros, aligned to 8; {@link #bytes} for the capacity
     * @param capacity a power of two
     * @param start first position, a multiple of 8
     */
    public SendRing(MemorySegment memory, int capacity, long start) {
        assert Integer.bitCount(capacity) == 1 && capacity >= CAPACITY_MIN && capacity <= CAPACITY_MAX : capacity;
        assert start >= 0 && start % Frame.ALIGNMENT == 0 : start;
        this.memory = memory;
        this.capacity = capacity;
        this.abandoned = new AbandonedFrames(capacity);
        begin(start);
    }

    /** Sets the first position, before a second thread has the ring. */
    private void begin(long start) {
        tail = start;
        acked = start;
        sent = start;
        committed = start;
        sentFrames = start;
        given = start;
        crossedTo = start;
        checked = start;
        limit = start + capacity;
    }

    /**
     * Returns the bytes of memory needed by a ring.
     *
     * @param capacity a power of two
     * @return bytes
     */
    public static int bytes(int capacity) {
        return capacity + capacity / FRAMES_MIN;
    }

    // ---- writing, by many threads ----

    /** {@return capacity in bytes} */
    public int capacity() {
        return capacity;
    }

    /** {@return largest length of a frame} */
    public int lengthMax() {
        return capacity / FRAMES_MIN;
    }

    /** {@return the memory of the frames} */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Claims room for a frame. The thread must {@link #commit} or {@link #skip} the frame, or
     * {@linkplain #abandoned leave} the frame to the agent, in any case, because later frames wait for the claimed
     * frame.
     *
     * @param length of the frame, at most {@link #lengthMax}
     * @param until end of the room for the frame, even if there is more room
     * @return position of the frame, {@link #FULL} or {@link #CLOSED}
     */
    public long claim(int length, long until) {
        assert length >= Frame.HEAD_BYTES && length <= lengthMax() : length;
        final int taken = Frame.taken(length);
        while (true) {
            final long from = tail;
            if (from == NO_TAIL) {
                return CLOSED;
            }
            if (from + taken > limit || from + taken > until) {
                return FULL;
            }
            if (TAIL.compareAndSet(this, from, from + taken)) {
                return from;
            }
        }
    }

    /**
     * Returns where a frame is.
     *
     * @param position of the claim
     * @return offset in the memory
     */
    public long offset(long position) {
        return position & capacity - 1;
    }

    /**
     * Completes a frame after its head and payload were written.
     *
     * @param position of the claim
     * @param length of the claim
     */
    public void commit(long position, int length) {
        Frame.commit(memory, offset(position), length, position);
    }

    /**
     * Completes a frame that cannot be written, so that the receiver skips the frame.
     *
     * @param position of the claim
     * @param length of the claim
     */
    public void skip(long position, int length) {
        Frame.begin(memory, offset(position), 0, 0, Frame.SKIPPED, 0);
        commit(position, length);
    }

    /** {@return where a thread leaves a frame that it cannot commit: see {@link AbandonedFrames}} */
    AbandonedFrames abandoned() {
        return abandoned;
    }

    /**
     * Returns whether a claim would find room.
     *
     * @param length of the frame
     * @return false if the ring is full
     */
    public boolean hasRoom(int length) {
        return tail + Frame.taken(length) <= limit;
    }

    /** {@return whether nothing can be claimed any more} */
    public boolean isClosed() {
        return tail == NO_TAIL;
    }

    /**
     * Closes the ring: no thread can claim any more. By one thread at a time, as {@link #closeIfEmpty}.
     *
     * @return end of the last claim, where the next ring begins
     */
    public long close() {
        while (true) {
            final long now = tail;
            if (now == NO_TAIL) {
                return lastTail;
            }
            if (closeAt(now)) {
                return now;
            }
        }
    }

    /**
     * Closes the ring in front of the next ring. The next ring begins at the end of this ring, and is not yet known to
     * any other thread. Closing is the last step.
     *
     * @param follower the next ring, empty
     */
    void closeInFrontOf(SendRing follower) {
        long end;
        do {
            end = tail;
            follower.begin(end);
        } while (!closeAt(end));
    }

    /** Closes the ring if nothing was claimed behind a position. */
    private boolean closeAt(long position) {
        lastTail = position;                                    // before a thread can see the closed ring
        return TAIL.compareAndSet(this, position, NO_TAIL);
    }

    // ---- sending, by the agent ----

    /**
     * Closes a ring with acknowledged frames only; by the agent.
     *
     * @return whether the ring is closed now
     */
    public boolean closeIfEmpty() {
        return closeAt(acked);
    }

    /** {@return end of the last claim} */
    public long tail() {
        final long now = tail;
        return now == NO_TAIL ? lastTail : now;
    }

    /** {@return the position up to which the peer has acknowledged} */
    public long acked() {
        return acked;
    }

    /** {@return the position up to which the link has taken bytes} */
    public long sent() {
        return sent;
    }

    /** {@return whether the ring is closed, and fully acknowledged} */
    public boolean isDone() {
        return isClosed() && acked == lastTail;
    }

    /**
     * Looks for newly committed frames.
     *
     * @return the position up to which all frames are committed
     */
    public long committed() {
        final long end = acked + capacity;
        long more = 0;
        while (committed < end) {
            final long at = offset(committed);
            int length = Frame.committed(memory, at);
            if (length == 0) {
                length = abandoned.bytes(committed);
                if (length == 0) {
                    break;
                }
                skip(committed, length);
            }
            more += Frame.messages(memory, at);
            final int taken = Frame.taken(length);
            committed += taken;
            if (at + taken > capacity) {
                crossedTo = committed;
            }
        }
        if (more > 0) {
            MESSAGES.setOpaque(this, messages + more);
        }
        return committed;
    }

    /** {@return the number of messages that the agent has found complete; any thread} */
    public long messages() {
        return (long) MESSAGES.getOpaque(this);
    }

    /** {@return offset in the memory of the next bytes to be sent} */
    public long runOffset() {
        return isInOverhang(sent) ? capacity + offset(sent) : offset(sent);
    }

    /**
     * Returns the number of bytes ready to be sent from one piece of memory: whole frames, except at the end of the
     * ring.
     *
     * @param until end of the sendable positions
     * @return bytes, 0 if there is nothing
     */
    public int runBytes(long until) {
        final long end = until >= committed ? committed : lastFrameEnd(until);
        return (int) (Math.min(end, pieceEnd(sent)) - sent);
    }

    /** Returns the end of the last frame allowed to be sent. A frame whose front was sent is always allowed. */
    private long lastFrameEnd(long until) {
        long end = sentFrames;
        while (end < committed) {
            final long next = end + Frame.taken(Frame.length(memory, offset(end)));
            if (next > until) {
                break;
            }
            end = next;
        }
        return end;
    }

    /** Returns the next position at which the memory is not contiguous. */
    private long pieceEnd(long position) {
        final long lapEnd = lap(position) + capacity;
        return isInOverhang(position) || lap(crossedTo) == lapEnd ? crossedTo : lapEnd;
    }

    /** Returns whether a position is in the overhang, in a frame begun in front of the end of the ring. */
    private boolean isInOverhang(long position) {
        return position < crossedTo && position >= lap(crossedTo);
    }

    private long lap(long position) {
        return position & -capacity;
    }

    /**
     * Adds checksums to the frames sent next. A frame keeps its checksum, also for the next link.
     *
     * @param bytes at most {@link #runBytes}
     */
    public void check(int bytes) {
        if (checker == null) {
            checker = new FrameChecker();
        }
        checked = Math.max(checked, sentFrames);
        while (checked < sent + bytes) {
            final long at = offset(checked);
            checker.add(memory, at);
            checked += Frame.taken(Frame.length(memory, at));
        }
    }

    /**
     * Records that bytes are handed to the link: from now on the peer may have them, whether the call returns or not.
     *
     * @param bytes at most {@link #runBytes}
     */
    public void giving(int bytes) {
        given = sent + bytes;
    }

    /**
     * Records that the link has taken bytes.
     *
     * @param bytes at most {@link #runBytes}
     */
    public void sent(int bytes) {
        sent += bytes;
        given = sent;
        assert sent <= committed : sent + " " + committed;
        while (sentFrames < sent) {
            sentFrames += Frame.taken(Frame.length(memory, offset(sentFrames)));
        }
    }

    /** {@return unsent bytes of a frame whose first part was sent; 0 if there is no such frame} */
    public int frameBytesLeft() {
        return (int) (sentFrames - sent);
    }

    /**
     * Counts the complete and unacknowledged messages.
     *
     * @param isEnded whether a request, named by its correlation, has ended; such requests do not count
     * @return number of messages
     */
    public long unacknowledged(LongPredicate isEnded) {
        long count = 0;
        for (long at = acked; at < committed(); at += Frame.taken(Frame.length(memory, offset(at)))) {
            final long frame = offset(at);
            final boolean isRequest = (Frame.flags(memory, frame) & Frame.REQUEST) != 0;
            if (!isRequest || !isEnded.test(Frame.correlation(memory, frame))) {
                count += Frame.messages(memory, frame);
            }
        }
        return count;
    }

    /** Begins with a new link: all unacknowledged frames are to be sent again. */
    public void rewind() {
        sent = acked;
        sentFrames = acked;
        given = acked;
    }

    /**
     * Frees the frames acknowledged by the peer.
     *
     * @param position to which the peer has everything
     * @return false if no frame handed to the link ends at the position
     */
    public boolean acknowledge(long position) {
        if (position < acked || position > given || !isBoundary(position)) {
            return false;
        }
        while (acked < position) {
            final long end = Math.min(position, pieceEnd(acked));
            Frame.clear(memory, offset(acked), end - acked);
            acked = end;
        }
        sent = Math.max(sent, position);                        // if the link took the bytes and did not return
        sentFrames = Math.max(sentFrames, position);
        LIMIT.setRelease(this, acked + capacity);
        return true;
    }

    private boolean isBoundary(long position) {
        long at = acked;
        while (at < position) {
            at += Frame.taken(Frame.length(memory, offset(at)));
        }
        return at == position;
    }

    // ---- checking ----

    /**
     * Checks the order of the positions, walks the frames, and checks that all free room is zero; by the agent, while
     * no thread writes.
     *
     * @throws IllegalStateException if a check fails
     */
    public void audit() {
        final long end = tail();
        if (acked > sent || sent > given || given > committed || committed > end || end > acked + capacity
            || limit != acked + capacity || checked > committed || sentFrames < sent || sentFrames > committed) {
            throw new IllegalStateException("ring: positions acked=" + acked + " sent=" + sent + " given=" + given
                + " sentFrames=" + sentFrames + " committed=" + committed + " tail=" + end + " limit=" + limit
                + " checked=" + checked + " capacity=" + capacity);
        }
        final long first = offset(acked);
        long firstEnd = first;
        long second = 0;
        boolean isEnd = false;
        long at = acked;
        while (at < end) {
            isEnd |= at == sentFrames;
            final long from = offset(at);
            final int length = Frame.committed(memory, from);
            if (length < Frame.HEAD_BYTES || length > lengthMax()) {
                throw new IllegalStateException("ring: a frame of " + length + " bytes at " + at + " of " + end);
            }
            at += Frame.taken(length);
            firstEnd = from >= first ? from + Frame.taken(length) : firstEnd;
            second = from >= first ? second : from + Frame.taken(length);
        }
        if (at != end || !isEnd && sentFrames != end) {
            throw new IllegalStateException("ring: frames end at " + at + ", not " + end + "; sentFrames="
                + sentFrames);
        }
        if (!isZero(second, first) || !isZero(firstEnd, memory.byteSize())) {
            throw new IllegalStateException("ring: free room is not zero, acked=" + acked + " tail=" + end);
        }
    }

    private boolean isZero(long from, long to) {
        for (long at = from; at < to; at += ZEROS.byteSize()) {
            final long bytes = Math.min(ZEROS.byteSize(), to - at);
            if (MemorySegment.mismatch(memory, at, at + bytes, ZEROS, 0, bytes) >= 0) {
                return false;
            }
        }
        return true;
    }
}
