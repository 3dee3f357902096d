package io.teff.graph.cluster;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes bytes into new chunks of a zone, each of {@value #PIECE_BYTES} bytes but the last. For one thread. */
final class PieceOutput {
    static final int PIECE_BYTES = 256 << 10;
    private static final VarHandle DOUBLES =
        MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int DIGIT_BITS = 7;
    private static final int MORE = 1 << DIGIT_BITS;
    private static final int NUMBER_BYTES_MAX = 10;

    private final ZoneChunks chunks;
    private final long near;
    private final List<Long> cids = new ArrayList<>();
    private final byte[] piece = new byte[PIECE_BYTES + NUMBER_BYTES_MAX];
    private int end;
    private long bytes;

    PieceOutput(ZoneChunks chunks, long near) {
        this.chunks = chunks;
        this.near = near;
    }

    /** Writes a number of 1 to 5 bytes, 7 bits in each. */
    void number(int value) {
        int rest = value;
        while ((rest & -MORE) != 0) {
            piece[end++] = (byte) (rest | MORE);
            rest >>>= DIGIT_BITS;
        }
        piece[end++] = (byte) rest;
        leaveIfFull();
    }

    void number(double value) {
        DOUBLES.set(piece, end, value);
        end += Double.BYTES;
        leaveIfFull();
    }

    private void leaveIfFull() {
        if (end >= PIECE_BYTES) {
            cids.add(chunks.create(near, Arrays.copyOf(piece, PIECE_BYTES)));
            bytes += PIECE_BYTES;
            System.arraycopy(piece, PIECE_BYTES, piece, 0, end - PIECE_BYTES);
            end -= PIECE_BYTES;
        }
    }

    /** Ends the bytes; returns the chunks. */
    long[] end() {
        if (end > 0) {
            cids.add(chunks.create(near, Arrays.copyOf(piece, end)));
            bytes += end;
            end = 0;
        }
        return cids.stream().mapToLong(Long::longValue).toArray();
    }

    long bytes() {
        return bytes;
    }
}
