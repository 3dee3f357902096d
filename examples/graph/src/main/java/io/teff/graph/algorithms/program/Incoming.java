package io.teff.graph.algorithms.program;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Reads bundles, and gives each message to the part of its target. For one thread. */
public final class Incoming {
    private final int messageBytes;
    private final @Nullable PartRun[] runs;
    private final Ghosts ghosts;
    private final byte[] bundle = new byte[BundleLayout.BYTES_MAX];

    /**
     * Prepares reading.
     *
     * @param program whose messages are read
     * @param runs the parts of this worker, by the number of the part; null for parts of other workers
     * @param ghosts takes messages for all neighbours of a vertex
     */
    public Incoming(VertexProgram program, @Nullable PartRun[] runs, Ghosts ghosts) {
        messageBytes = program.messageBytes();
        this.ghosts = ghosts;
        this.runs = runs.clone();
    }

    /**
     * Counts the messages of a batch of bundles, for programs without a combiner.
     *
     * @param batch whole bundles
     */
    public void count(ByteBuffer batch) {
        read(batch, true);
    }

    /**
     * Takes the messages of a batch of bundles.
     *
     * @param batch whole bundles
     */
    public void take(ByteBuffer batch) {
        read(batch, false);
    }

    private void read(ByteBuffer batch, boolean isCounting) {
        ByteBuffer bundles = batch.order(ByteOrder.LITTLE_ENDIAN);
        while (bundles.hasRemaining()) {
            int start = bundles.position();
            int length = bundles.getInt(start + BundleLayout.BYTES_OFFSET);
            int part = bundles.getInt(start + BundleLayout.PART_OFFSET);
            PartRun run = part < 0 ? null : runs[part];
            if (part >= 0 && run == null || length > bundles.remaining()) {
                throw new IllegalStateException("a bundle of " + length + " bytes for part " + part
                    + ", which is not here");
            }
            int count = bundles.getInt(start + BundleLayout.COUNT_OFFSET);
            bundles.get(bundle, 0, length);
            if (run != null || !isCounting) {
                read(run, ~part, count, isCounting);
            }
        }
    }

    private void read(@Nullable PartRun run, int sender, int count, boolean isCounting) {
        int at = BundleLayout.HEAD_BYTES;
        int index = 0;
        for (int i = 0; i < count; i++) {
            int distance = bundle[at++];
            if (distance < 0) {
                distance &= BundleLayout.MORE - 1;
                for (int shift = BundleLayout.DIGIT_BITS; ; shift += BundleLayout.DIGIT_BITS) {
                    int digit = bundle[at++];
                    distance |= (digit & BundleLayout.MORE - 1) << shift;
                    if (digit >= 0) {
                        break;
                    }
                }
            }
            index += distance;
            if (run == null) {
                ghosts.put(sender, index, bundle, at);
            } else if (isCounting) {
                run.count(index);
            } else {
                run.take(index, bundle, at);
            }
            at += messageBytes;
        }
    }
}
