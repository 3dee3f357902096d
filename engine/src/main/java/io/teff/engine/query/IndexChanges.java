package io.teff.engine.query;

import io.teff.engine.journal.Journal;
import io.teff.engine.map.EntryIndexes;
import io.teff.engine.map.EntryPart;
import io.teff.engine.storage.CollectionChunks;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries together with their places in indexes.
 *
 * <p><b>Order.</b> The new places are added first, then the entry is changed, then the old places are removed. So at
 * each moment the places of an index include those of all entries of the map. A reader that finds a place looks at the
 * entry, and shows the entry only if the entry has the fields of the place. A place whose entry has other fields is one
 * that a writer has added or will remove, and the entry has a second place.
 *
 * <p><b>Journal.</b> In a store with a journal all these changes are one group, so a crash keeps all or none. A group
 * must be recorded before another thread can change its chunks again. The writer lock of the key guards the bucket; one
 * lock for all indexes of the map guards the nodes of the trees, which release their own locks sooner. Without a
 * journal there is no group and no such lock: writers of different keys share the trees as any writers do.
 *
 * <p><b>Failure.</b> If a unique index refuses the entry, or there is no memory, the added places are removed again,
 * which needs no memory. Immutable, thread-safe.
 */
final class IndexChanges<K, V> implements EntryIndexes {
    /** Room in a record of the journal for the nodes of the trees and for the bucket. */
    private static final int NODES_BYTES = 1 << 17;

    private final List<IndexTree<V>> trees;
    private final MapIndexes<K, V> indexes;
    private final CollectionChunks chunks;
    private final ReentrantLock lock;

    IndexChanges(List<IndexTree<V>> trees, MapIndexes<K, V> indexes, CollectionChunks chunks, ReentrantLock lock) {
        this.trees = trees;
        this.indexes = indexes;
        this.chunks = chunks;
        this.lock = lock;
    }

    @Override
    public void change(EntryPart key, @Nullable EntryPart before, @Nullable EntryPart after, Runnable change) {
        RowBuffers<V> buffers = indexes.pool().acquire();
        try {
            byte[] @Nullable [] old = fields(before, buffers);
            byte[] @Nullable [] next = fields(after, buffers);
            if (isSame(old, next)) {
                change.run();
                return;
            }
            byte[] kept = indexes.entryKeys().kept(key);
            if (chunks.isKept()) {
                requireOneRecord(key, after);
                changeInGroup(kept, old, next, buffers.row, change);
            } else {
                changeInOrder(kept, old, next, buffers.row, change);
            }
        } finally {
            indexes.pool().release(buffers);
        }
    }

    /** Returns the fields of each index. The row has the value afterwards. */
    private byte[] @Nullable [] fields(@Nullable EntryPart value, RowBuffers<V> buffers) {
        byte[] @Nullable [] fields = new byte[trees.size()][];
        if (value != null) {
            buffers.row.set(value);
            for (int i = 0; i < fields.length; i++) {
                fields[i] = trees.get(i).sortKey().write(buffers.row, buffers.key).toByteArray();
            }
        }
        return fields;
    }

    /** Removes the fields that do not change; returns whether none changes. */
    private static boolean isSame(byte[] @Nullable [] old, byte[] @Nullable [] next) {
        boolean isSame = true;
        for (int i = 0; i < old.length; i++) {
            if (Arrays.equals(old[i], next[i])) {
                old[i] = null;
                next[i] = null;
            } else {
                isSame = false;
            }
        }
        return isSame;
    }

    /**
     * Refuses an entry whose chunk would fill a record of the journal, and so separate the group. Longer chunks have
     * records of their own, before the group.
     */
    private static void requireOneRecord(EntryPart key, @Nullable EntryPart after) {
        int bytes = after == null ? 0 : key.length() + after.length();
        if (bytes > Journal.CONTENT_BYTES_MAX - NODES_BYTES && bytes <= Journal.CONTENT_BYTES_MAX) {
            throw new IllegalArgumentException("an entry of " + bytes + " bytes; a durable map with indexes has no "
                + "entries of " + (Journal.CONTENT_BYTES_MAX - NODES_BYTES) + " to " + Journal.CONTENT_BYTES_MAX);
        }
    }

    private void changeInGroup(byte[] key, byte[] @Nullable [] old, byte[] @Nullable [] next, Row<V> row,
                               Runnable change) {
        lock.lock();
        try {
            chunks.openGroup();
            try {
                changeInOrder(key, old, next, row, change);
            } finally {
                chunks.closeGroup();
                chunks.endGroup();
            }
        } finally {
            lock.unlock();
        }
    }

    private void changeInOrder(byte[] key, byte[] @Nullable [] old, byte[] @Nullable [] next, Row<V> row,
                               Runnable change) {
        boolean[] isNew = new boolean[next.length];
        boolean isDone = false;
        try {
            for (int i = 0; i < next.length; i++) {
                byte[] fields = next[i];
                isNew[i] = fields != null && trees.get(i).add(fields, key, row);
            }
            change.run();
            isDone = true;
        } finally {
            if (!isDone) {
                undo(key, next, isNew);
            }
        }
        for (int i = 0; i < old.length; i++) {
            byte[] fields = old[i];
            if (fields != null) {
                trees.get(i).remove(fields, key);
            }
        }
    }

    private void undo(byte[] key, byte[] @Nullable [] next, boolean[] isNew) {
        for (int i = 0; i < isNew.length; i++) {
            byte[] fields = next[i];
            if (isNew[i] && fields != null) {
                trees.get(i).remove(fields, key);
            }
        }
    }
}
