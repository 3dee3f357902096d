package io.teff.engine.tree;

import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryCursor;

/** A walk over the entries of a sorted map, as objects. Not thread-safe. */
final class TreeWalk<K, V> implements EntryCursor<K, V> {
    private final ChunkTreeMap<K, V> map;
    private final TreeCursor cursor;

    TreeWalk(ChunkTreeMap<K, V> map, TreeCursor cursor) {
        this.map = map;
        this.cursor = cursor;
    }

    @Override
    public boolean next() {
        return cursor.next();
    }

    @Override
    public K key() {
        return map.key(cursor);
    }

    @Override
    public V value() {
        return map.value(cursor);
    }

    @Override
    public void copyValue(EncodedBytes target) {
        target.set(cursor.bytes(), cursor.valueFrom(), cursor.valueBytes());
    }

    @Override
    public void close() {
        cursor.close();
    }

    /** Counts the entries that are left. */
    long count() {
        return cursor.count();
    }
}
