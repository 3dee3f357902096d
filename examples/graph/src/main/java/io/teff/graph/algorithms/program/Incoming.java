package io.teff.graph.algorithms.program;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Reads frames, and gives each message to the part of its target. For one thread. */
public final class Incoming {
    private final int messageBytes;
    private final @Nullable PartRun[] runs;
    private final byte[] frame = new byte[FrameLayout.BYTES_MAX];

    /**
     * Prepares reading.
     *
     * @param program whose messages are read
     * @param runs the parts of this worker, by the number of the part; null for parts of other workers
     */
    public Incoming(VertexProgram program, @Nullable PartRun[] runs) {
        messageBytes = program.messageBytes();
        this.runs = runs.clone();
    }

    /**
     * Counts the messages of a batch of frames, for programs without a combiner.
     *
     * @param batch whole frames
     */
    public void count(ByteBuffer batch) {
        read(batch, true);
    }

    /**
     * Takes the messages of a batch of frames.
     *
     * @param batch whole frames
     */
    public void take(ByteBuffer batch) {
        read(batch, false);
    }

    private void read(ByteBuffer batch, boolean isCounting) {
        ByteBuffer frames = batch.order(ByteOrder.LITTLE_ENDIAN);
        while (frames.hasRemaining()) {
            int start = frames.position();
            int length = frames.getInt(start + FrameLayout.BYTES_OFFSET);
            PartRun run = runs[frames.getInt(start + FrameLayout.PART_OFFSET)];
            if (run == null || length > frames.remaining()) {
                throw new IllegalStateException("a frame of " + length + " bytes for part "
                    + frames.getInt(start + FrameLayout.PART_OFFSET) + ", which is not here");
            }
            int count = frames.getInt(start + FrameLayout.COUNT_OFFSET);
            frames.get(frame, 0, length);
            read(run, count, isCounting);
        }
    }

    private void read(PartRun run, int count, boolean isCounting) {
        int at = FrameLayout.HEAD_BYTES;
        int index = 0;
        for (int i = 0; i < count; i++) {
            int distance = frame[at++];
            if (distance < 0) {
                distance &= FrameLayout.MORE - 1;
                for (int shift = FrameLayout.DIGIT_BITS; ; shift += FrameLayout.DIGIT_BITS) {
                    int digit = frame[at++];
                    distance |= (digit & FrameLayout.MORE - 1) << shift;
                    if (digit >= 0) {
                        break;
                    }
                }
            }
            index += distance;
            if (isCounting) {
                run.count(index);
            } else {
                run.take(index, frame, at);
            }
            at += messageBytes;
        }
    }
}
