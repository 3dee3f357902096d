package io.teff.cluster.net.ring;

import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameChecker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Frames on their way out, in memory. Many threads write to it, one agent sends from it, and what is sent stays until
 * the other side has it.
 *
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
 * <p><b>Claiming.</b> One compare-and-set on the tail gives a thread the room of a frame and its place in the order.
 * Room that is free is zero, so a frame is there when its first word is not: it is stored last, with release. The agent
 * zeroes what the other side has, before it moves the limit.
 *
 * <p><b>One piece.</b> A frame always lies in one piece, thanks to the overhang, so it can be written and read in
 * place; positions have no gaps, and nothing has to be filled at the end. All that lies in front of the limit is in at
 * most two pieces.
 *
 * <p><b>The end.</b> A ring is closed by a tail that no claim can pass, in one step: everything that was ever claimed
 * is in front of {@link #tail()}. Its follower goes on there, with memory of another size.
 *
 * <p>After Agrona's {@code ManyToOneRingBuffer} in what a commit is and that zero is free; that one gives memory back
 * when it is read and fills its end.
 */
public final class SendRing {
    /** {@link #claim}: there is no room now. */
    public static final long FULL = -1;
    /** {@link #claim}: there will never be room in this ring. */
    public static final long CLOSED = -2;

    /** A frame has no more than this part of the ring. */
    public static final int FRAMES_MIN = 8;
    /** Smallest capacity in bytes. */
    public static final int CAPACITY_MIN = 4 << 10;
    /** Largest capacity in bytes: a frame may be its eighth. */
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

    private final MemorySegment memory;
    private final int capacity;
    /** By many threads. */
    private volatile long tail;
    /** Written by the agent. */
    @SuppressWarnings("FieldMayBeFinal")
    private volatile long limit;
    private volatile long lastTail;

    // ---- the agent's ----

    private long acked;
    private long sent;
    /** So far the link may have taken it. */
    private long given;
    private long committed;
    /** Committed ones, by their last frames; read by any thread. */
    @SuppressWarnings("FieldMayBeFinal")
    private long messages;
    /** The first end of a frame that is not in front of what was sent. */
    private long sentFrames;
    /** Where the frame that went beyond the ring's end last ended. */
    private long crossedTo;
    /** Frames in front of it have a checksum, but for those that were sent without. */
    private long checked;
    private @Nullable FrameChecker checker;

    /**
     * Makes an empty ring.
     *
     * @param memory zeros, aligned to 8; {@link #bytes} of it
     * @param capacity a power of two
     * @param start first position, a multiple of 8
     */
    public SendRing(MemorySegment memory, int capacity, long start) {
        assert Integer.bitCount(capacity) == 1 && capacity >= CAPACITY_MIN && capacity <= CAPACITY_MAX : capacity;
        assert start >= 0 && start % Frame.ALIGNMENT == 0 : start;
        this.memory = memory;
        this.capacity = capacity;
        begin(start);
    }

    /** Sets its first position, before anybody else has it. */
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
     * Tells how much memory a ring needs.
     *
     * @param capacity a power of two
     * @return bytes
     */
    public static int bytes(int capacity) {
        return capacity + capacity / FRAMES_MIN;
    }

    // ---- writing, by many threads ----

    /** {@return bytes of the ring} */
    public int capacity() {
        return capacity;
    }

    /** {@return largest length of a frame} */
    public int lengthMax() {
        return capacity / FRAMES_MIN;
    }

    /** {@return where frames are written} */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Makes room for a frame. The thread must {@link #commit} it, whatever happens, for those behind it wait.
     *
     * @param length of the frame, at most {@link #lengthMax}
     * @param until position beyond which it must not go, even if there is room
     * @return its position, {@link #FULL} or {@link #CLOSED}
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
     * Where a frame belongs.
     *
     * @param position that was claimed
     * @return offset in the memory
     */
    public long offset(long position) {
        return position & capacity - 1;
    }

    /**
     * Ends a frame; its head and payload are written.
     *
     * @param position that was claimed
     * @param length that was claimed
     */
    public void commit(long position, int length) {
        Frame.commit(memory, offset(position), length, position);
    }

    /**
     * Ends a frame that cannot be written: nothing is handled.
     *
     * @param position that was claimed
     * @param length that was claimed
     */
    public void skip(long position, int length) {
        Frame.begin(memory, offset(position), 0, 0, Frame.SKIPPED, 0);
        commit(position, length);
    }

    /**
     * Tells whether a claim would find room.
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
     * Lets nobody claim any more. By one thread at a time, as {@link #closeIfEmpty}.
     *
     * @return where the last claim has ended, and the follower begins
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
     * The same, for a follower that nobody else has yet: it begins where this one ends. Closing is the last step.
     *
     * @param follower empty, begins anywhere
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
        lastTail = position;                                    // before anybody can see that it is closed
        return TAIL.compareAndSet(this, position, NO_TAIL);
    }

    // ---- sending, by the agent ----

    /**
     * Closes a ring that has nothing that the other side does not have; by the agent.
     *
     * @return whether it is closed now
     */
    public boolean closeIfEmpty() {
        return closeAt(acked);
    }

    /** {@return where the last claim has ended} */
    public long tail() {
        final long now = tail;
        return now == NO_TAIL ? lastTail : now;
    }

    /** {@return the position up to which the other side has everything} */
    public long acked() {
        return acked;
    }

    /** {@return the position up to which everything was given to the link} */
    public long sent() {
        return sent;
    }

    /** {@return whether all of a closed ring was acknowledged} */
    public boolean isDone() {
        return isClosed() && acked == lastTail;
    }

    /**
     * Looks for frames that were committed since.
     *
     * @return the position up to which all frames are committed
     */
    public long committed() {
        final long end = acked + capacity;
        long more = 0;
        while (committed < end) {
            final long at = offset(committed);
            final int length = Frame.committed(memory, at);
            if (length == 0) {
                break;
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

    /** {@return how many messages the agent has found complete; any thread} */
    public long messages() {
        return (long) MESSAGES.getOpaque(this);
    }

    /** {@return where in the memory the next bytes to be sent are} */
    public long runOffset() {
        return isInOverhang(sent) ? capacity + offset(sent) : offset(sent);
    }

    /**
     * Tells how many bytes can be sent that lie in one piece: frames as a whole, but for those around the ring's end.
     *
     * @param until the position beyond which nothing may be sent
     * @return bytes, 0 if there is nothing
     */
    public int runBytes(long until) {
        final long end = until >= committed ? committed : lastFrameEnd(until);
        return (int) (Math.min(end, pieceEnd(sent)) - sent);
    }

    /** The end of the last frame that may be sent, at least that of the one whose front was sent. */
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

    /** The next position whose byte does not follow the one before it in the memory. */
    private long pieceEnd(long position) {
        final long lapEnd = lap(position) + capacity;
        return isInOverhang(position) || lap(crossedTo) == lapEnd ? crossedTo : lapEnd;
    }

    /** Whether a position is one of a frame that began in front of the ring's end, behind it. */
    private boolean isInOverhang(long position) {
        return position < crossedTo && position >= lap(crossedTo);
    }

    private long lap(long position) {
        return position & -capacity;
    }

    /**
     * Adds checksums to the frames that are sent next. A frame that has one keeps it, also for the next link.
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
     * The link is given bytes: from now on the other side may have them, whatever becomes of the call.
     *
     * @param bytes at most {@link #runBytes}
     */
    public void giving(int bytes) {
        given = sent + bytes;
    }

    /**
     * The link has taken bytes.
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

    /** {@return how many bytes are missing to the end of the frame whose front was sent, 0 if it is whole} */
    public int frameBytesLeft() {
        return (int) (sentFrames - sent);
    }

    /** {@return how many frames are complete and not acknowledged} */
    public long frames() {
        long frames = 0;
        for (long at = acked; at < committed(); at += Frame.taken(Frame.length(memory, offset(at)))) {
            frames++;
        }
        return frames;
    }

    /** A new link begins: everything that the other side does not have is to be sent. */
    public void rewind() {
        sent = acked;
        sentFrames = acked;
        given = acked;
    }

    /**
     * The other side has everything in front of a position: its room is free.
     *
     * @param position what it says
     * @return false if no frame that was given to the link ends there
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
        sent = Math.max(sent, position);                        // where the link took it and did not say so
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
     * Recomputes the order of its positions, walks its frames, and looks whether all free room is zero; by the agent,
     * while nobody writes.
     *
     * @throws IllegalStateException which says what is wrong
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
