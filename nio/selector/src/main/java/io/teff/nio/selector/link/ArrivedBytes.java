package io.teff.nio.selector.link;

import io.teff.rdma.ucx.message.UcxMessage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a link that have arrived and were not read. Used within the state lock of the link, except for the first
 * parts of this class.
 *
 * <p>Bytes wait in slabs. A thread that reads and makes progress itself <em>takes</em> the bytes of messages that the
 * thread handles: such bytes go from UCX to the buffers of the program, without a slab. Another thread never touches
 * the buffers, as a buffer may belong to an arena of one thread.
 */
final class ArrivedBytes {
    private static final ByteBuffer[] NO_BUFFERS = {};
    /** Room at the end of a slab that is left empty rather than split a piece. */
    private static final int SPLIT_MIN = 512;

    private final SlabPool pool;
    private final ArrayDeque<Slab> slabs = new ArrayDeque<>();
    /** Written within the lock without a fence: the lock is given back before a thread is asked to look. */
    private final AtomicLong arrivedBytes = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();
    // ---- of the reading thread; other threads only compare themselves with the taker ----
    private @Nullable Thread taker;
    private ByteBuffer[] targets = NO_BUFFERS;
    private int targetsFrom;
    private int targetsEnd;
    private long takenBytes;

    ArrivedBytes(SlabPool pool) {
        this.pool = pool;
    }

    // ---- any thread, without the lock ----

    /** {@return whether bytes wait for a read} */
    boolean hasBytes() {
        return arrivedBytes.get() > readBytes.get();
    }

    /** {@return the number of bytes that the program has read} */
    long readBytes() {
        return readBytes.get();
    }

    @Override
    public String toString() {
        return "arrived " + arrivedBytes + ", read " + readBytes;
    }

    // ---- the reading thread, without the lock ----

    /** Lets this thread take bytes; false if bytes are there. */
    boolean beginTaking(ByteBuffer[] buffers, int offset, int length) {
        if (hasBytes()) {
            return false;
        }
        targets = buffers;
        targetsFrom = offset;
        targetsEnd = offset + length;
        taker = Thread.currentThread();
        return true;
    }

    /** {@return whether this thread has taken bytes} */
    boolean hasTaken() {
        return takenBytes > 0 && Thread.currentThread().equals(taker);
    }

    /** Ends {@link #beginTaking}, and returns the number of taken bytes. */
    long endTaking() {
        final long count = takenBytes;
        takenBytes = 0;
        taker = null;
        targets = NO_BUFFERS;
        return count;
    }

    // ---- within the lock ----

    boolean isEmpty() {
        return slabs.isEmpty();
    }

    /** Copies bytes from slabs into buffers; returns their number. */
    long read(ByteBuffer[] buffers, int offset, int length) {
        long count = 0;
        for (int i = offset; i < offset + length && !slabs.isEmpty(); i++) {
            count += readInto(buffers[i]);
        }
        readBytes.lazySet(readBytes.get() + count);
        return count;
    }

    private int readInto(ByteBuffer target) {
        int count = 0;
        while (target.hasRemaining() && !slabs.isEmpty()) {
            final Slab slab = slabs.getFirst();
            final int part = Math.min(target.remaining(), slab.to - slab.from);
            MemorySegment.copy(slab.memory, slab.from, MemorySegment.ofBuffer(target), 0, part);
            target.position(target.position() + part);
            slab.from += part;
            count += part;
            if (slab.from == slab.to) {
                pool.giveBack(slabs.removeFirst());
            }
        }
        return count;
    }

    /** Counts bytes that the program has read from elsewhere. */
    void countRead(long bytes) {
        arrivedBytes.lazySet(arrivedBytes.get() + bytes);
        readBytes.lazySet(readBytes.get() + bytes);
    }

    /**
     * Adds the bytes of a message.
     *
     * @param from offset in the data of the message
     * @param mayTake whether these bytes are the next ones of the stream, so that the reading thread may take them
     */
    void add(UcxMessage message, int from, boolean mayTake) {
        final int bytes = (int) message.length() - from;
        final boolean isTaken = mayTake && slabs.isEmpty() && Thread.currentThread().equals(taker);
        int done = isTaken ? take(message, from, bytes) : 0;
        while (done < bytes) {
            final Slab slab = slab(bytes - done);
            final int part = Math.min(slab.room(), bytes - done);
            message.copyData((long) from + done, slab.memory, slab.to, part);
            slab.to += part;
            done += part;
        }
        count(bytes);
    }

    /** Adds the bytes of an early piece. */
    void add(MemorySegment source) {
        final int bytes = (int) source.byteSize();
        int done = 0;
        while (done < bytes) {
            final Slab slab = slab(bytes - done);
            final int part = Math.min(slab.room(), bytes - done);
            MemorySegment.copy(source, done, slab.memory, slab.to, part);
            slab.to += part;
            done += part;
        }
        count(bytes);
    }

    private void count(int bytes) {
        arrivedBytes.lazySet(arrivedBytes.get() + bytes);
    }

    private int take(UcxMessage message, int from, int bytes) {
        int done = 0;
        for (int i = targetsFrom; i < targetsEnd && done < bytes; i++) {
            final ByteBuffer target = targets[i];
            final int part = Math.min(target.remaining(), bytes - done);
            if (part > 0) {
                message.copyData((long) from + done, MemorySegment.ofBuffer(target), 0, part);
                target.position(target.position() + part);
                done += part;
            }
        }
        takenBytes += done;
        readBytes.lazySet(readBytes.get() + done);
        return done;
    }

    /** Returns a slab with room. */
    private Slab slab(int bytes) {
        Slab slab = slabs.peekLast();
        if (slab == null || slab.room() == 0 || slab.room() < SPLIT_MIN && slab.room() < bytes) {
            slab = pool.take(bytes);
            slabs.add(slab);
        }
        return slab;
    }

    /** Gives all memory back; the bytes are lost. */
    void drop() {
        while (!slabs.isEmpty()) {
            pool.giveBack(slabs.removeFirst());
        }
    }
}
