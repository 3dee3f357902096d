package io.teff.engine.query;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.query.Matcher.Match;
import io.teff.engine.storage.ObjectPool;
import java.util.Optional;

/** Reads the values that match, without an object for the others; for walks over a whole map. Thread-safe. */
final class MatchCodec<V, R> implements Codec<Optional<Match<R>>> {
    private final Matcher<V, R> matcher;
    private final ObjectPool<RowBuffers<V>> pool;

    MatchCodec(Matcher<V, R> matcher, ObjectPool<RowBuffers<V>> pool) {
        this.matcher = matcher;
        this.pool = pool;
    }

    @Override
    public void write(Optional<Match<R>> value, Output out) {
        throw new UnsupportedOperationException("matches are read only");
    }

    @Override
    public Optional<Match<R>> read(Input in) {
        RowBuffers<V> buffers = pool.acquire();
        try {
            final int bytes = in.left();
            buffers.row.set(in.array(), in.take(bytes), bytes);
            return Optional.ofNullable(matcher.match(buffers));
        } finally {
            pool.release(buffers);
        }
    }

    @Override
    public long fingerprint() {
        return 0;
    }
}
