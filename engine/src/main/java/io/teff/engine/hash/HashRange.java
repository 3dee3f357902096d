package io.teff.engine.hash;

import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryCursor;
import io.teff.engine.map.EntryRange;
import org.jspecify.annotations.Nullable;

/** The entries of a hash map whose bit-reversed hashes lie in an interval. */
final class HashRange<K, V> implements EntryRange<K, V> {
    private final ChunkHashMap<K, V> map;
    private long start;
    private final long end;

    /** Creates the range from {@code start} to before {@code end}; 0 as the end means behind all hashes. */
    HashRange(ChunkHashMap<K, V> map, long start, long end) {
        this.map = map;
        this.start = start;
        this.end = end;
    }

    /** Returns a walk over the bytes of the entries. */
    HashCursor walk() {
        return new HashCursor(map.table, start, end);
    }

    @Override
    public EntryCursor<K, V> cursor() {
        HashCursor cursor = walk();
        HashOperation operation = new HashOperation();
        return new EntryCursor<>() {
            @Override
            public boolean next() {
                return cursor.next();
            }

            @Override
            public K key() {
                return map.key(cursor.bytes(), cursor.from(), operation);
            }

            @Override
            public V value() {
                int from = cursor.valueFrom();
                return map.value(cursor.bytes(), from, cursor.end() - from, operation);
            }

            @Override
            public void copyValue(EncodedBytes target) {
                int from = cursor.valueFrom();
                target.set(cursor.bytes(), from, cursor.end() - from);
            }
        };
    }

    @Override
    public @Nullable HashRange<K, V> cut() {
        map.check();
        long distance = end - start;
        long half = distance == 0 ? 1L << Long.SIZE - 1 : distance >>> 1;
        if (Long.compareUnsigned(half, Long.divideUnsigned(-1L, map.table.index.count())) < 0) {
            return null;
        }
        HashRange<K, V> first = new HashRange<>(map, start, start + half);
        start += half;
        return first;
    }

    @Override
    public long estimate() {
        double share = end == start ? 1 : ((end - start >>> 1) * 2.0) / 0x1p64;
        return (long) (map.longSize() * share);
    }
}
