package io.teff.graph.cluster;

import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;

/** Reads the bytes of a list of chunks from the first to the last. For one thread. */
final class PieceInput {
    private static final int DIGIT_BITS = 7;
    private static final int MORE = 1 << DIGIT_BITS;

    private final ZoneChunks chunks;
    private final long[] cids;
    private int next;
    private byte[] piece = {};
    private int at;

    PieceInput(ZoneChunks chunks, long[] cids) {
        this.chunks = chunks;
        this.cids = cids;
    }

    private int oneByte() {
        while (at == piece.length) {
            if (next == cids.length) {
                throw new StoreException(Category.FATAL, "a part of a graph ends early");
            }
            piece = chunks.get(cids[next++]);
            at = 0;
        }
        return piece[at++];
    }

    int number() {
        int digit = oneByte();
        int value = digit & MORE - 1;
        for (int shift = DIGIT_BITS; digit < 0; shift += DIGIT_BITS) {
            digit = oneByte();
            value |= (digit & MORE - 1) << shift;
        }
        return value;
    }

    double doubleNumber() {
        long bits = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bits |= (oneByte() & 0xFFL) << shift;
        }
        return Double.longBitsToDouble(bits);
    }
}
