package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.thread.UserCode;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.PartialReader;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A message arriving in fragments.
 *
 * <p>Up to 64 KiB are collected, and read at once by generated code, which is faster. Longer messages are read while
 * they arrive, if their codec supports reading in parts: the agent copies each fragment to a {@link FragmentCopy}, and
 * a task of the handlers' threads reads the copies. A read copy counts as handled, and the array of the copy is used
 * again; so the kept part of a message never exceeds the window, however long the message is. The handler is called in
 * the turn of its lane when the last fragment has arrived, and reads the remaining bytes.
 *
 * <p><b>Readers.</b> Codecs are the application's, and the agent has other links to serve, so handlers' threads read.
 * The agent itself reads answers, and messages of short handlers, because short handlers run on the agent's thread. The
 * agent also reads any message if handlers' threads are so late that the peer has hardly any credit left: all handlers'
 * threads may wait for a message later in the stream. The thread with the lock reads everything, and looks again after
 * releasing the lock; so no added copy stays unread.
 *
 * <p>If the codec cannot read in parts, the whole message is collected. No bytes are held of a message without a
 * handler or a request, or of a message longer than its type allows on this node.
 */
public final class IncomingMessage implements Runnable {
    private static final byte[] NONE = new byte[0];

    private final FragmentPool pool;
    private final MessageOrigin origin;
    private final int type;
    private final int lane;
    private final int bytesMax;
    /** Reads the message; null if no handler or request waits for the message. */
    private final @Nullable Codec<?> codec;
    /**
     * Set by the agent: not null while the message is read in parts, before the first copy is added until the reader is
     * dropped.
     */
    private volatile @Nullable PartialReader<?> reader;
    /** The executor whose threads read; null if the agent reads. */
    private final @Nullable Executor executor;
    private final Queue<FragmentCopy> pieces = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** Whether a task will read copies. */
    private volatile boolean isTask;
    /** Whether bytes are discarded: the message cannot be read, or was dropped. */
    private volatile boolean isOver;
    /** Whether the message was dropped because the message has more bytes than its type allows on this node. */
    private volatile boolean isTooLong;
    /** The exception of the codec. The codec is not called again. */
    private volatile @Nullable Throwable thrown;

    // ---- by the agent ----

    /** Received bytes, and the number of held or read bytes. */
    private long came;
    private int length;
    private byte[] collected = NONE;
    private boolean isCollectedToEnd;

    private IncomingMessage(FragmentPool pool, MessageOrigin origin, int type, int lane, boolean isFailed, int bytesMax,
                            @Nullable Codec<?> codec, @Nullable Executor executor) {
        this.pool = pool;
        this.origin = origin;
        this.type = type;
        this.lane = lane;
        this.bytesMax = isFailed ? Frame.BYTES_MAX : bytesMax;  // of the text of a failure
        this.codec = codec;
        this.executor = executor;
        this.isCollectedToEnd = isFailed;
    }

    /**
     * Returns a message awaited by a handler or a request.
     *
     * @param id number of the type in the frames
     * @param isFailed whether the message is the text of a failure
     * @param executor whose threads read the message; null if the agent reads
     */
    static IncomingMessage of(FragmentPool pool, MessageOrigin origin, int id, int lane, boolean isFailed,
                              MessageType<?> type, @Nullable Executor executor) {
        return new IncomingMessage(pool, origin, id, lane, isFailed, type.bytesMax(), type.codec(), executor);
    }

    /** Returns a message without a handler or a request. */
    static IncomingMessage unwanted(FragmentPool pool, MessageOrigin origin, int type, int lane, boolean isFailed) {
        return new IncomingMessage(pool, origin, type, lane, isFailed, Integer.MAX_VALUE, null, null);
    }

    /** Returns whether a fragment with this type and lane may belong to the message. */
    boolean isOf(int ofType, int ofLane) {
        return type == ofType && lane == ofLane;
    }

    boolean isWanted() {
        return codec != null;
    }

    /** Returns whether the bytes are collected instead of read. */
    boolean isCollected() {
        return codec != null && reader == null && !isOver;
    }

    /** Returns the bytes, in an array of the pool. The array belongs to the caller from now on. */
    byte[] takeCollected() {
        final byte[] its = collected;
        collected = NONE;
        return its;
    }

    int length() {
        return length;
    }

    /**
     * Adds a fragment; by the agent.
     *
     * @param taken bytes of the stream that count as handled when the fragment is read
     */
    void add(MemorySegment memory, long from, int bytes, long taken) throws ProtocolException {
        came += bytes;
        if (came > MessageType.BYTES_MAX) {
            throw new ProtocolException("a message has more than " + MessageType.BYTES_MAX + " bytes");
        }
        if (bytes > bytesMax - length) {
            isTooLong = true;
            drop();
        }
        if (isCollected() && !isCollectedToEnd && bytes > MessageBuffer.BYTES_MAX - length) {
            beginToRead();
        }
        if (isOver) {
            origin.consumed(taken);
            return;
        }
        if (isCollected() && hasRoom(bytes)) {
            Frame.copyOut(memory, from, collected, length, bytes);
        }
        length += bytes;
        if (reader == null) {
            origin.consumed(taken);
        } else {
            final byte[] copy = pool.arrays().take(bytes);
            Frame.copyOut(memory, from, copy, 0, bytes);
            addPiece(copy, bytes, taken);
        }
    }

    /** Makes the collected bytes the first copy, if the codec reads in parts. */
    private void beginToRead() {
        final PartialReader<?> made;
        try {
            made = codec == null ? null : codec.partialReader(bytesMax);
        } catch (Throwable e) {                                 // of the codec: the handler will receive the exception
            thrown = e;
            drop();
            return;
        }
        isCollectedToEnd = made == null;
        if (made != null) {
            reader = made;
            addPiece(takeCollected(), length, 0);
        }
    }

    private void addPiece(byte[] bytes, int count, long taken) {
        final FragmentCopy piece = pool.take();
        piece.bytes = bytes;
        piece.length = count;
        piece.taken = taken;
        pieces.add(piece);
    }

    /** Makes room for more collected bytes. Without memory the message fails, as by an exception of its codec. */
    private boolean hasRoom(int bytes) {
        if (collected.length >= length + bytes) {
            return true;
        }
        final byte[] more;
        try {
            more = pool.arrays().take(Math.min(bytesMax, Math.max(length + bytes, 2 * length)));
        } catch (OutOfMemoryError e) {
            thrown = e;
            drop();
            return false;
        }
        System.arraycopy(collected, 0, more, 0, length);
        pool.arrays().giveBack(collected);
        collected = more;
        return true;
    }

    /** Starts a task to read the copies; by the agent. */
    void readOn() {
        final Executor its = executor;
        if (pieces.isEmpty()) {
            return;
        }
        if (its == null || origin.isBehind()) {
            readNow();
        } else if (!isTask) {
            execute(its);
        }
    }

    private void execute(Executor executor) {
        isTask = true;
        try {
            executor.execute(this);
        } catch (Throwable e) {                                 // of the application's executor: read here instead
            run();
        }
    }

    /** Discards the message, because the peer or this side does not continue it; by the agent. */
    void drop() {
        isOver = true;
        reader = null;
        pool.arrays().giveBack(takeCollected());
        readNow();
    }

    /** Discards the completely arrived message unread; called by the thread that would handle the message. */
    void discard() {
        isOver = true;
        readNow();
    }

    // ---- reading ----

    @Override
    public void run() {
        isTask = false;
        readNow();
    }

    /** Reads the copies, unless another thread reads. */
    private void readNow() {
        while (!pieces.isEmpty() && lock.tryLock()) {
            try {
                readAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void readAll() {
        for (FragmentCopy next = pieces.poll(); next != null; next = pieces.poll()) {
            read(next.bytes, next.length);
            origin.consumed(next.taken);
            pool.giveBack(next);
        }
    }

    private void read(byte[] bytes, int count) {
        final PartialReader<?> partialReader = reader;
        if (partialReader == null || isOver) {
            return;
        }
        try {
            final int used = partialReader.read(bytes, 0, count);
            if (used < count) {
                throw new MalformedException(used, "a message that goes on behind its end", null);
            }
        } catch (Throwable e) {                                 // also an undeclared checked one; see readToEnd
            thrown = e;
            isOver = true;
        }
    }

    /**
     * Reads to the end, after the last fragment; once.
     *
     * @return the message
     * @throws MalformedException if the bytes are not a message of the type; or any exception of the codec
     */
    Object readToEnd() {
        lock.lock();
        try {
            readAll();
            read(NONE, 0);                                      // for a value without bytes
            final PartialReader<?> partialReader = reader;
            final Throwable before = thrown;
            if (isTooLong) {
                throw tooLong(bytesMax);
            } else if (before != null) {
                throw UserCode.undeclared(before);
            }
            if (partialReader == null || !partialReader.isDone()) {
                throw new MalformedException(length, "a message that is cut off", null);
            }
            return partialReader.value();
        } finally {
            lock.unlock();
        }
    }

    static MalformedException tooLong(int bytesMax) {
        return new MalformedException(bytesMax, "a message of more than the " + bytesMax
            + " bytes that this node allows for its type", null);
    }

    /** Adds the bytes held by the message, while no thread reads. */
    void addTo(RetainedBytes held) {
        held.arrayBytes += collected.length;
        held.collectedBytes += collected.length > 0 ? length : 0;
        for (FragmentCopy fragmentCopy : pieces) {
            held.creditBytes += fragmentCopy.taken;
            held.arrayBytes += fragmentCopy.bytes.length;
            held.collectedBytes += fragmentCopy.taken == 0 ? fragmentCopy.length : 0;
        }
    }
}
