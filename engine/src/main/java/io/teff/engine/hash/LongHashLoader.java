package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.LongMapLoader;
import java.util.Objects;

/**
 * A loader of a map whose keys are numbers.
 *
 * @param <V> type of the values
 */
final class LongHashLoader<V> extends HashLoader<Long, V> implements LongMapLoader<V> {
    LongHashLoader(LinearHash table, KeyForm<Long> keys, Codec<V> values, long expectedEntries) {
        super(table, keys, values, expectedEntries);
    }

    @Override
    public void add(long key, V value) {
        Objects.requireNonNull(value);
        checkOpen();
        operation.setNumber(key, table.seed);
        addValue(value);
    }

    @Override
    public void addBytes(long key, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        checkOpen();
        operation.setNumber(key, table.seed);
        operation.beginEntry().putBytes(source, offset, length);
        addEntry();
    }
}
