package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Codecs;
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
 * The map whose keys are numbers.
 *
 * @param <V> type of the values
 */
public final class ChunkLongHashMap<V> extends ChunkHashMap<Long, V> implements ChunkLongMap<V> {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Codec<V> values;

    private ChunkLongHashMap(CollectionChunks nodes, Codec<V> values, ChunkIndex index) {
        super(nodes, Codecs.LONG, values, index);
        this.values = values;
    }

    /**
     * Makes an empty map.
     *
     * @param <V> type of the values
     * @param nodes the store
     * @param values codec
     * @return the map
     */
    public static <V> ChunkLongHashMap<V> make(CollectionChunks nodes, Codec<V> values) {
        return new ChunkLongHashMap<>(nodes, values, ChunkIndex.make(nodes, 0, Chance.SYSTEM.nextLong(), Long.BYTES));
    }

    /**
     * Opens a map that is in the store.
     *
     * @param <V> type of the values
     * @param nodes the store
     * @param cid the CID of its root
     * @param values codec
     * @return the map
     */
    public static <V> ChunkLongHashMap<V> open(CollectionChunks nodes, long cid, Codec<V> values) {
        return new ChunkLongHashMap<>(nodes, values, ChunkIndex.open(nodes, cid));
    }

    private HashOperation work(long key) {
        HashOperation work = spares.take();
        work.setNumber(key, table.seed);
        return work;
    }

    @Override
    public @Nullable V get(long key) {
        HashOperation work = work(key);
        try {
            return find(work);
        } finally {
            spares.give(work);
        }
    }

    @Override
    public int getBytes(long key, byte[] target, int offset) {
        return table.get(key, target, offset);
    }

    @Override
    public long getLong(long key, int offset, long absent) {
        HashOperation work = work(key);
        try {
            int length = table.get(work);
            if (length < 0) {
                return absent;
            }
            Objects.checkFromIndexSize(offset, Long.BYTES, length);
            return (long) LONG.get(work.bytes(), offset);
        } finally {
            spares.give(work);
        }
    }

    @Override
    public boolean containsKey(long key) {
        return table.get(Hash.of(table.seed, key), key, null, Long.BYTES, null, 0) >= 0;
    }

    @Override
    public boolean set(long key, V value) {
        Objects.requireNonNull(value);
        HashOperation work = work(key);
        try {
            values.write(value, work.beginEntry());
            return set(work);
        } finally {
            spares.give(work);
        }
    }

    @Override
    public boolean setBytes(long key, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        HashOperation work = work(key);
        try {
            work.beginEntry().putBytes(source, offset, length);
            return set(work);
        } finally {
            spares.give(work);
        }
    }

    @Override
    public boolean delete(long key) {
        HashOperation work = work(key);
        try {
            return delete(work);
        } finally {
            spares.give(work);
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
        HashOperation work = new HashOperation();
        HashCursor cursor = new HashCursor(table, 0, 0);
        while (cursor.next()) {
            int from = cursor.from() + Long.BYTES;
            action.accept(cursor.number(), value(cursor.bytes(), from, cursor.end() - from, work));
        }
    }

    @Override
    public PrimitiveIterator.OfLong keyIterator() {
        return new LongKeyIterator(this, new HashCursor(table, 0, 0));
    }
}
