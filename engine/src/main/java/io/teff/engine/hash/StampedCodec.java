package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;

/**
 * Codec of the values of a cache's map: {@link StampLayout stamps} in front of the bytes of another codec. Reading
 * skips the stamps. Only a {@link StampedMap} writes.
 *
 * @param values codec of the values behind the stamps
 * @param stamps number of stamps, 0 to {@link StampLayout#STAMPS_MAX}
 * @param <V> type of the values
 */
public record StampedCodec<V>(Codec<V> values, int stamps) implements Codec<V> {
    private static final long FINGERPRINT = 0x5354_414D_5045_4401L;

    /**
     * Checks the number of stamps.
     *
     * @throws IllegalArgumentException if there is no such layout
     */
    public StampedCodec {
        if (stamps < 0 || stamps > StampLayout.STAMPS_MAX) {
            throw new IllegalArgumentException("stamps=" + stamps);
        }
    }

    /** {@return bytes in front of the value} */
    int stampBytes() {
        return stamps * StampLayout.BYTES;
    }

    @Override
    public void write(V value, Output out) {
        throw new UnsupportedOperationException("entries of a cache are written by the cache");
    }

    @Override
    public V read(Input in) {
        in.take(stampBytes());
        return values.read(in);
    }

    @Override
    public long fingerprint() {
        return values.fingerprint() * 31 + FINGERPRINT + stamps;
    }

    @Override
    public String describe() {
        return "cache of " + stamps + " stamps and " + values.describe();
    }

    @Override
    public boolean hasBytesOf(String written) {
        String prefix = "cache of " + stamps + " stamps and ";
        return written.startsWith(prefix) && values.hasBytesOf(written.substring(prefix.length()));
    }

    /** {@inheritDoc} The values of a cache are not migrated: the cache is dropped, and fills again. */
    @Override
    public Codec<V> readerOf(String written) {
        if (hasBytesOf(written)) {
            return this;
        }
        throw new SchemaException("a cache is not migrated; drop the name, and the cache fills again", null);
    }

    @Override
    public int fixedBytes() {
        int bytes = values.fixedBytes();
        return bytes < 0 ? bytes : bytes + stampBytes();
    }
}
