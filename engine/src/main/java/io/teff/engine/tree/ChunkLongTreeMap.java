package io.teff.engine.tree;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.LongBytesConsumer;
import io.teff.engine.collect.LongEntryConsumer;
import io.teff.engine.error.Status;
import io.teff.engine.map.LongKeyIterator;
import io.teff.engine.storage.CollectionChunks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map whose keys are numbers.
 *
 * @param <V> type of the values
 */
public final class ChunkLongTreeMap<V> extends ChunkTreeMap<Long, V> implements ChunkSortedLongMap<V> {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ChunkLongTreeMap(CollectionChunks chunks, KeyOrder<Long> order, Codec<V> values, TreeRoot root) {
        super(chunks, order, values, root);
        opened();
    }

    /**
     * Creates an empty map.
     *
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param values codec of the values
     * @return the map
     */
    public static <V> ChunkLongTreeMap<V> make(CollectionChunks chunks, Codec<V> values) {
        KeyOrder<Long> order = KeyOrder.natural(Codecs.LONG);
        return new ChunkLongTreeMap<>(chunks, order, values, TreeCare.make(chunks, order));
    }

    /**
     * Opens an existing map.
     *
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @param values codec of the values
     * @return the map
     * @throws IllegalArgumentException if the map was created with a comparator
     */
    public static <V> ChunkLongTreeMap<V> open(CollectionChunks chunks, long cid, Codec<V> values) {
        KeyOrder<Long> order = KeyOrder.natural(Codecs.LONG);
        return new ChunkLongTreeMap<>(chunks, order, values, root(chunks, cid, order));
    }

    private TreeOperation operationOn(long key) {
        TreeOperation operation = BLinkTree.POOL.acquire();
        operation.key.setHead(key);
        operation.begin();
        return operation;
    }

    // ---- one entry ----

    @Override
    public @Nullable V get(long key) {
        return find(operationOn(key));
    }

    @Override
    public int getBytes(long key, byte[] target, int offset) {
        Objects.checkIndex(offset, target.length + 1);
        TreeOperation operation = operationOn(key);
        try {
            int length = tree.get(operation);
            if (length > target.length - offset) {
                return Status.TOO_SMALL;
            }
            if (length > 0) {
                System.arraycopy(operation.bytes(), 0, target, offset, length);
            }
            return length;
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    public long getLong(long key, int offset, long absent) {
        TreeOperation operation = operationOn(key);
        try {
            int length = tree.get(operation);
            if (length < 0) {
                return absent;
            }
            Objects.checkFromIndexSize(offset, Long.BYTES, length);
            return (long) LONG.get(operation.bytes(), offset);
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    public boolean containsKey(long key) {
        return contains(operationOn(key));
    }

    @Override
    public boolean set(long key, V value) {
        Objects.requireNonNull(value);
        return set(operationOn(key), value);
    }

    @Override
    public boolean setBytes(long key, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        TreeOperation operation = operationOn(key);
        try {
            operation.beginEntry().putBytes(source, offset, length);
            return set(operation);
        } finally {
            BLinkTree.POOL.release(operation);
        }
    }

    @Override
    public boolean delete(long key) {
        return delete(operationOn(key));
    }

    // ---- neighbours ----

    private long near(long key, boolean isKeyIn, boolean isUpwards, long absent) {
        try (TreeCursor cursor = new TreeCursor(tree, isUpwards, false)) {
            TreeKey bound = isUpwards ? cursor.low(isKeyIn) : cursor.high(isKeyIn);
            bound.setHead(key);
            return cursor.next() ? cursor.number() : absent;
        }
    }

    @Override
    public long ceilingKey(long key, long absent) {
        return near(key, true, true, absent);
    }

    @Override
    public long floorKey(long key, long absent) {
        return near(key, true, false, absent);
    }

    @Override
    public long higherKey(long key, long absent) {
        return near(key, false, true, absent);
    }

    @Override
    public long lowerKey(long key, long absent) {
        return near(key, false, false, absent);
    }

    // ---- walks ----

    private TreeCursor cursor(long from, long to, boolean hasValues) {
        TreeCursor cursor = new TreeCursor(tree, true, hasValues);
        cursor.low(true).setHead(from);
        cursor.high(true).setHead(to);
        return cursor;
    }

    @Override
    public void forEachKey(LongConsumer action) {
        forEachKey(Long.MIN_VALUE, Long.MAX_VALUE, action);
    }

    @Override
    public void forEachKey(long from, long to, LongConsumer action) {
        Objects.requireNonNull(action);
        try (TreeCursor cursor = cursor(from, to, false)) {
            while (cursor.next()) {
                action.accept(cursor.number());
            }
        }
    }

    @Override
    public void forEachEntry(LongEntryConsumer<? super V> action) {
        forEachEntry(Long.MIN_VALUE, Long.MAX_VALUE, action);
    }

    @Override
    public void forEachEntry(long from, long to, LongEntryConsumer<? super V> action) {
        Objects.requireNonNull(action);
        try (TreeCursor cursor = cursor(from, to, true)) {
            while (cursor.next()) {
                action.accept(cursor.number(), value(cursor));
            }
        }
    }

    @Override
    public void forEachBytes(long from, long to, LongBytesConsumer action) {
        Objects.requireNonNull(action);
        try (TreeCursor cursor = cursor(from, to, true)) {
            while (cursor.next()) {
                action.accept(cursor.number(), cursor.bytes(), cursor.valueFrom(), cursor.valueBytes());
            }
        }
    }

    @Override
    public PrimitiveIterator.OfLong keyIterator() {
        return new LongKeyIterator(this, new TreeCursor(tree, true, false));
    }
}
