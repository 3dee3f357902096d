package io.teff.graph.algorithms.program;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The messages of a worker to the vertices of all parts, packed into bundles. For one thread.
 *
 * <p>With a combiner, one message for each target is kept until the end of the superstep, at the place of the target,
 * so that bundles come out in the order of the targets. That takes a message and a bit for each vertex of the graph.
 * Without a combiner, runs of {@value #RUN_MAX} messages to a part are sorted by target and leave at once; messages to
 * one vertex keep their order.
 */
public final class Outgoing {
    static final int RUN_MAX = 1 << 16;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int WORD_SHIFT = 6;
    private static final long[] NO_WORDS = {};
    private static final long INDEX_MASK = 0xFFFF_FFFFL;

    private final VertexProgram program;
    private final Partition partition;
    private final int messageBytes;
    private final boolean combines;
    private final byte[][] kept;
    private final long[][] present;
    private final MessageRun[] runs;
    private final Packed window;
    private final Packed other;
    private final byte[] bundle = new byte[BundleLayout.BYTES_MAX];
    private int end = BundleLayout.HEAD_BYTES;
    private int bundleCount;
    private int before;
    private long[] order = {};
    private Sink sink = (part, bytes, length) -> 0;
    private long addedCount;
    private long sentCount;
    private long sentBytes;

    /** Takes bundles. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes a bundle.
         *
         * @param part that the messages are for; the complement of a part if the messages are from its vertices to all
         *     of their neighbours, so that each worker needs the bundle
         * @param bundle changes when this method has returned
         * @param length of the bundle in bytes
         * @return the number of workers that receive the bundle
         */
        int send(int part, byte[] bundle, int length);
    }

    /**
     * Begins without messages.
     *
     * @param program whose messages are sent
     * @param partition of the vertices
     * @throws IllegalArgumentException if messages of the program are too long
     */
    public Outgoing(VertexProgram program, Partition partition) {
        this.program = program;
        this.partition = partition;
        messageBytes = program.messageBytes();
        if (messageBytes < 0 || messageBytes > BundleLayout.MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException("messageBytes=" + messageBytes + " is not in 0 to "
                + BundleLayout.MESSAGE_BYTES_MAX);
        }
        combines = program.combines();
        kept = new byte[combines ? partition.parts() : 0][];
        present = new long[kept.length][];
        Arrays.fill(kept, new byte[0]);
        Arrays.fill(present, NO_WORDS);
        runs = new MessageRun[combines ? 0 : partition.parts()];
        Arrays.setAll(runs, part -> new MessageRun(messageBytes));
        window = new Packed(messageBytes);
        other = new Packed(messageBytes);
    }

    /**
     * Begins a superstep.
     *
     * @param bundles takes the bundles of this superstep
     */
    public void begin(Sink bundles) {
        sink = bundles;
        addedCount = 0;
        sentCount = 0;
        sentBytes = 0;
    }

    void add(int target, Packed message) {
        int part = partition.part(target);
        addedCount++;
        if (!combines) {
            MessageRun run = runs[part];
            run.add(partition.index(target), message, window);
            if (run.count() >= RUN_MAX) {
                leave(part, run);
            }
            return;
        }
        if (present[part].length == 0) {
            begin(part);
        }
        int index = partition.index(target);
        long[] words = present[part];
        window.at(kept[part], index * messageBytes);
        if ((words[index >>> WORD_SHIFT] >>> index & 1) == 0) {
            words[index >>> WORD_SHIFT] |= 1L << index;
            window.copy(message);
        } else {
            program.combine(window, message);
        }
    }

    private void begin(int part) {
        int count = partition.count(part);
        kept[part] = new byte[Math.multiplyExact(count, messageBytes)];
        present[part] = new long[(count >>> WORD_SHIFT) + 1];
    }

    /** Sends all messages of the superstep. */
    public void flush() {
        for (int part = 0; part < partition.parts(); part++) {
            if (!combines) {
                leave(part, runs[part]);
            } else if (present[part].length > 0) {
                leave(part, kept[part], present[part]);
            }
        }
    }

    private void leave(int part, byte[] bytes, long[] words) {
        for (int word = 0; word < words.length; word++) {
            for (long bits = words[word]; bits != 0; bits &= bits - 1) {
                int index = (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
                record(part, index, window.at(bytes, index * messageBytes));
            }
            words[word] = 0;
        }
        close(part);
    }

    /**
     * Sends the messages of some vertices of a part to all of their neighbours.
     *
     * @param part of the senders
     * @param bytes messages of all vertices of the part
     * @param words a bit for each vertex that sends; all clear afterwards
     * @param arcs of these vertices
     */
    void leaveOfSenders(int part, byte[] bytes, long[] words, long arcs) {
        addedCount += arcs;
        leave(~part, bytes, words);
    }

    private void leave(int part, MessageRun run) {
        int count = run.count();
        if (count == 0) {
            return;
        }
        if (order.length < count) {
            order = new long[Math.max(count, 1 << WORD_SHIFT)];
        }
        for (int i = 0; i < count; i++) {
            order[i] = (long) run.target(i) << Integer.SIZE | i;
        }
        Arrays.sort(order, 0, count);
        for (int i = 0; i < count; i++) {
            record(part, (int) (order[i] >>> Integer.SIZE), run.message((int) (order[i] & INDEX_MASK), window));
        }
        close(part);
        run.clear();
    }

    private void record(int part, int index, Packed message) {
        if (end + BundleLayout.DISTANCE_BYTES_MAX + messageBytes > bundle.length) {
            close(part);
        }
        int distance = index - before;
        before = index;
        while (distance >= BundleLayout.MORE) {
            bundle[end++] = (byte) (distance | BundleLayout.MORE);
            distance >>>= BundleLayout.DIGIT_BITS;
        }
        bundle[end++] = (byte) distance;
        other.at(bundle, end).copy(message);
        end += messageBytes;
        bundleCount++;
    }

    private void close(int part) {
        if (bundleCount > 0) {
            INTS.set(bundle, BundleLayout.BYTES_OFFSET, end);
            INTS.set(bundle, BundleLayout.PART_OFFSET, part);
            INTS.set(bundle, BundleLayout.COUNT_OFFSET, bundleCount);
            int receivers = sink.send(part, bundle, end);
            sentCount += (long) receivers * bundleCount;
            sentBytes += (long) receivers * end;
        }
        end = BundleLayout.HEAD_BYTES;
        bundleCount = 0;
        before = 0;
    }

    /** {@return messages that the program has sent in this superstep} */
    public long addedCount() {
        return addedCount;
    }

    /** {@return messages that have left in this superstep, after combining} */
    public long sentCount() {
        return sentCount;
    }

    /** {@return bytes of the bundles of this superstep} */
    public long sentBytes() {
        return sentBytes;
    }
}
