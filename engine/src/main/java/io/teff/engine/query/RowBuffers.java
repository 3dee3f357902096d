package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Output;

/** Buffers for one change or one test of an entry. Not thread-safe. */
final class RowBuffers<V> {
    private static final int BYTES_FIRST = 64;
    private static final int BYTES_KEPT = 1 << 14;

    final Row<V> row;
    final Output key = Output.growing(BYTES_FIRST);

    RowBuffers(Codec<V> codec) {
        row = new Row<>(codec);
    }

    /** Returns whether the buffers are small enough to be kept; lets go of the value. */
    boolean isKept() {
        row.set(new byte[0], 0, 0);
        return key.array().length <= BYTES_KEPT;
    }
}
