package io.teff.engine.work;

import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs the messages of a worker into batches, one open batch for each receiver. For one thread.
 *
 * <p>Messages lie one behind another without heads, and no message is cut: the receiver knows the lengths of its
 * messages. A batch of 64 KiB carries 8,192 messages of 8 bytes. With w workers a sender needs at most w batches of
 * memory; open batches together have a bound, above which the longest batch leaves early.
 */
public final class Outbox {
    /** Longest batch in bytes. */
    public static final int BATCH_BYTES_MAX = 64 << 10;
    /** Most bytes of open batches. */
    static final long OPEN_BYTES_MAX = 16L << 20;

    private static final int BATCH_BYTES_MIN = 256;

    private final @Nullable Open[] open;
    private final Sink sink;
    private final long openBytesMax;
    private long openBytes;
    private long sentBytes;

    /** Takes batches; waits while the receivers have no room. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes a batch.
         *
         * @param to worker that receives the batch
         * @param number of the batch among those for this worker, from 0
         * @param batch the messages, not changed any more
         */
        void send(int to, int number, byte[] batch);
    }

    /** The open batch of a receiver. */
    private static final class Open {
        private byte[] bytes = new byte[BATCH_BYTES_MIN];
        private ByteBuffer buffer = view();
        private int sent;

        private ByteBuffer view() {
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }

        /** Makes room; returns by how many bytes the memory has grown. */
        int grow(int length) {
            final int before = bytes.length;
            if (buffer.remaining() < length) {
                final int used = buffer.position();
                bytes = Arrays.copyOf(bytes, Math.min(BATCH_BYTES_MAX, Math.max(used + length, before * 2)));
                buffer = view().position(used);
            }
            return bytes.length - before;
        }
    }

    /**
     * Begins without messages.
     *
     * @param workers number of receivers
     * @param sink takes the batches
     */
    public Outbox(int workers, Sink sink) {
        this(workers, sink, OPEN_BYTES_MAX);
    }

    Outbox(int workers, Sink sink, long openBytesMax) {
        open = new Open[workers];
        this.sink = sink;
        this.openBytesMax = openBytesMax;
    }

    private ByteBuffer room(int to, int length) {
        if (length > BATCH_BYTES_MAX) {
            throw new JobException(Reason.FAILED, "a message of " + length + " bytes: messages between workers have at "
                + "most " + BATCH_BYTES_MAX);
        }
        Open of = open[to];
        if (of == null) {
            of = new Open();
            open[to] = of;
            openBytes += of.bytes.length;
        }
        if (of.buffer.position() + length > BATCH_BYTES_MAX) {
            leave(to, of);
        }
        openBytes += of.grow(length);
        if (openBytes > openBytesMax) {
            leaveLongest(to);
        }
        return of.buffer;
    }

    /** Lets the longest batches leave until half of the bound is free. */
    private void leaveLongest(int except) {
        while (openBytes > openBytesMax / 2) {
            int longest = -1;
            for (int i = 0; i < open.length; i++) {
                final Open of = open[i];
                if (of != null && i != except && of.buffer.position() > 0
                    && (longest < 0 || of.bytes.length > length(longest))) {
                    longest = i;
                }
            }
            if (longest < 0) {
                return;
            }
            final Open of = open[longest];
            if (of != null) {
                leave(longest, of);
            }
        }
    }

    private int length(int index) {
        final Open of = open[index];
        return of == null ? 0 : of.bytes.length;
    }

    private void leave(int to, Open of) {
        final int length = of.buffer.position();
        final byte[] batch = Arrays.copyOf(of.bytes, length);
        openBytes -= of.bytes.length - BATCH_BYTES_MIN;
        of.bytes = new byte[BATCH_BYTES_MIN];
        of.buffer = of.view();
        sentBytes += length;
        sink.send(to, of.sent++, batch);
    }

    /**
     * Sends a message.
     *
     * @param to worker that receives the message
     * @param message at most {@link #BATCH_BYTES_MAX} bytes
     * @throws IndexOutOfBoundsException if there is no such worker
     */
    public void add(int to, byte[] message) {
        room(to, message.length).put(message);
    }

    /**
     * Sends a message of 8 bytes, little-endian.
     *
     * @param to worker that receives the message
     * @param message the number
     */
    public void addLong(int to, long message) {
        room(to, Long.BYTES).putLong(message);
    }

    /** Sends all open batches. */
    public void flush() {
        for (int to = 0; to < open.length; to++) {
            final Open of = open[to];
            if (of != null && of.buffer.position() > 0) {
                leave(to, of);
            }
        }
    }

    /** {@return bytes of all batches that have left} */
    public long sentBytes() {
        return sentBytes;
    }
}
