package io.teff.engine.hash;

import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryCursor;
import io.teff.engine.map.EntryRange;
import org.jspecify.annotations.Nullable;

/** The entries of a range that have not expired when the walk shows them. */
final class LiveRange<K, V> implements EntryRange<K, V> {
    private final StampedMap<K, V> map;
    private final HashRange<K, V> entries;
    private final long nowMs;

    LiveRange(StampedMap<K, V> map, HashRange<K, V> entries, long nowMs) {
        this.map = map;
        this.entries = entries;
        this.nowMs = nowMs;
    }

    @Override
    public EntryCursor<K, V> cursor() {
        HashCursor cursor = entries.walk();
        HashOperation operation = new HashOperation();
        return new EntryCursor<>() {
            @Override
            public boolean next() {
                while (cursor.next()) {
                    int from = cursor.valueFrom();
                    long deadline = map.stamp(cursor.bytes(), from, cursor.end() - from, StampLayout.DEADLINE);
                    if (!StampLayout.isOver(deadline, nowMs)) {
                        return true;
                    }
                }
                return false;
            }

            @Override
            public K key() {
                return map.map().key(cursor.bytes(), cursor.from(), operation);
            }

            @Override
            public V value() {
                int from = cursor.valueFrom();
                return map.value(cursor.bytes(), from, cursor.end() - from, operation);
            }

            @Override
            public void copyValue(EncodedBytes target) {
                int from = cursor.valueFrom() + map.stampBytes();
                target.set(cursor.bytes(), from, cursor.end() - from);
            }
        };
    }

    @Override
    public @Nullable EntryRange<K, V> cut() {
        HashRange<K, V> first = entries.cut();
        return first == null ? null : new LiveRange<>(map, first, nowMs);
    }

    @Override
    public long estimate() {
        return entries.estimate();
    }
}
