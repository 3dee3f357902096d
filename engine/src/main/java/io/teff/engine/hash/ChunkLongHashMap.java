package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.LongEntryConsumer;
import io.teff.engine.map.LongKeyIterator;
import io.teff.engine.os.Chance;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map whose keys are numbers.
 *
 * @param <V> type of the values
 */
public final class ChunkLongHashMap<V> extends ChunkHashMap<Long, V> implements ChunkLongMap<V> {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);


    private ChunkLongHashMap(CollectionChunks chunks, Codec<V> values, ChunkIndex index) {
        super(chunks, Codecs.LONG, values, index);
    }

    /**
     * Creates an empty map.
     *
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param values codec of the values
     * @return the map
     */
    public static <V> ChunkLongHashMap<V> make(CollectionChunks chunks, Codec<V> values) {
        return new ChunkLongHashMap<>(chunks, values, ChunkIndex.make(chunks, 0, Chance.SYSTEM.nextLong(), Long.BYTES));
    }

    /**
     * Opens an existing map.
     *
     * @param <V> type of the values
     * @param chunks chunk operations of the store
     * @param cid CID of the root
     * @param values codec of the values
     * @return the map
     */
    public static <V> ChunkLongHashMap<V> open(CollectionChunks chunks, long cid, Codec<V> values) {
        return new ChunkLongHashMap<>(chunks, values, ChunkIndex.open(chunks, cid));
    }

    private HashOperation operationOn(long key) {
        HashOperation operation = ChunkHashMap.POOL.acquire();
        operation.setNumber(key, table.seed);
        return operation;
    }

    @Override
    public @Nullable V get(long key) {
        HashOperation operation = operationOn(key);
        try {
            return find(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public int getBytes(long key, byte[] target, int offset) {
        return table.get(key, target, offset);
    }

    @Override
    public int getAllBytes(long[] numbers, int from, int count, byte[] target, int offset, int[] lengths) {
        Objects.checkFromIndexSize(from, count, numbers.length);
        Objects.checkFromIndexSize(0, count, lengths.length);
        Objects.checkIndex(offset, target.length + 1);
        check();
        HashBatch batch = HashBatch.POOL.acquire();
        int at = offset;
        for (int done = 0; done < count; done += HashBatch.GROUP) {
            int end = Math.min(done + HashBatch.GROUP, count);
            for (int i = done; i < end; i++) {
                batch.hashes()[i - done] = Hash.of(table.seed, numbers[from + i]);
            }
            batch.fetch(table, end - done);
            for (int i = done; i < end; i++) {
                int length = batch.get(table, i - done, numbers[from + i], target, at);
                lengths[i] = length >= 0 ? length : table.get(numbers[from + i], target, at);
                at += Math.max(lengths[i], 0);
            }
        }
        HashBatch.POOL.release(batch);
        return at - offset;
    }

    @Override
    public LongHashLoader<V> loader(long expectedEntries) {
        return new LongHashLoader<>(table, keys, values, expectedEntries);
    }

    @Override
    public long getLong(long key, int offset, long absent) {
        HashOperation operation = operationOn(key);
        try {
            int length = table.get(operation);
            if (length < 0) {
                return absent;
            }
            Objects.checkFromIndexSize(offset, Long.BYTES, length);
            return (long) LONG.get(operation.bytes(), offset);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public boolean containsKey(long key) {
        return table.get(Hash.of(table.seed, key), key, null, Long.BYTES, null, 0) >= 0;
    }

    @Override
    public boolean set(long key, V value) {
        Objects.requireNonNull(value);
        HashOperation operation = operationOn(key);
        try {
            operation.beginEntry().putValue(values, value);
            return set(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public boolean setBytes(long key, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        HashOperation operation = operationOn(key);
        try {
            operation.beginEntry().putBytes(source, offset, length);
            return set(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public boolean delete(long key) {
        HashOperation operation = operationOn(key);
        try {
            return delete(operation);
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    @Override
    public void forEachKey(LongConsumer action) {
        Objects.requireNonNull(action);
        HashCursor cursor = new HashCursor(table, 0, 0);
        while (cursor.next()) {
            action.accept(cursor.number());
            cursor.forEachNumberBehind(action);
        }
    }

    @Override
    public void forEachEntry(LongEntryConsumer<? super V> action) {
        Objects.requireNonNull(action);
        HashOperation operation = new HashOperation();
        HashCursor cursor = new HashCursor(table, 0, 0);
        while (cursor.next()) {
            int from = cursor.from() + Long.BYTES;
            action.accept(cursor.number(), value(cursor.bytes(), from, cursor.end() - from, operation));
        }
    }

    @Override
    public PrimitiveIterator.OfLong keyIterator() {
        return new LongKeyIterator(this, new HashCursor(table, 0, 0));
    }
}
