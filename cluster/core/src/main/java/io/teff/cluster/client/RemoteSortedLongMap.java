package io.teff.cluster.client;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.LongBytesConsumer;
import io.teff.engine.collect.LongEntryConsumer;
import io.teff.engine.error.Status;
import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryCursor;
import io.teff.engine.map.KeyBounds;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map of a cluster whose keys are numbers. Thread-safe.
 *
 * @param <V> type of the values
 */
final class RemoteSortedLongMap<V> extends RemoteSortedMap<Long, V> implements ChunkSortedLongMap<V> {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    RemoteSortedLongMap(SortedCalls calls, NearReads near, FormCodec<V> values) {
        super(calls, near, Codecs.LONG, values, Comparator.naturalOrder(), null);
    }

    private byte @Nullable [] plain(byte @Nullable [] found) {
        return found == null ? null : forms().plain(found);
    }

    private static byte[] bytes(long key) {
        final byte[] bytes = new byte[Long.BYTES];
        LONG.set(bytes, 0, key);
        return bytes;
    }

    // ---- one entry ----

    @Override
    public @Nullable V get(long key) {
        final byte[] found = findNear(bytes(key));
        return value(found);
    }

    @Override
    public int getBytes(long key, byte[] target, int offset) {
        Objects.checkFromIndexSize(offset, 0, target.length);
        final byte[] found = plain(findNear(bytes(key)));
        if (found == null) {
            return Status.ABSENT;
        }
        if (found.length > target.length - offset) {
            return Status.TOO_SMALL;
        }
        System.arraycopy(found, 0, target, offset, found.length);
        return found.length;
    }

    @Override
    public long getLong(long key, int offset, long absent) {
        final byte[] found = plain(findNear(bytes(key)));
        if (found == null) {
            return absent;
        }
        Objects.checkFromIndexSize(offset, Long.BYTES, found.length);
        return (long) LONG.get(found, offset);
    }

    @Override
    public boolean containsKey(long key) {
        return findNear(bytes(key)) != null;
    }

    @Override
    public boolean set(long key, V value) {
        return set(bytes(key), value);
    }

    @Override
    public boolean setBytes(long key, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        return setBytes(bytes(key), forms().sealed(Arrays.copyOfRange(source, offset, offset + length)));
    }

    @Override
    public boolean delete(long key) {
        return delete(bytes(key));
    }

    // ---- neighbours ----

    private long near(KeyBounds<Long> bounds, boolean isUpwards, long absent) {
        final EntryCursor<Long, V> walk = walk(bounds, isUpwards, false);
        return walk.next() ? walk.key() : absent;
    }

    @Override
    public long ceilingKey(long key, long absent) {
        return near(new KeyBounds<>(key, true, null, true), true, absent);
    }

    @Override
    public long floorKey(long key, long absent) {
        return near(new KeyBounds<>(null, true, key, true), false, absent);
    }

    @Override
    public long higherKey(long key, long absent) {
        return near(new KeyBounds<>(key, false, null, true), true, absent);
    }

    @Override
    public long lowerKey(long key, long absent) {
        return near(new KeyBounds<>(null, true, key, false), false, absent);
    }

    // ---- walks ----

    private EntryCursor<Long, V> walk(long from, long to, boolean hasValues) {
        return walks(new KeyBounds<>(from, true, to, true), true, hasValues).cursor();
    }

    @Override
    public void forEachKey(LongConsumer action) {
        forEachKey(Long.MIN_VALUE, Long.MAX_VALUE, action);
    }

    @Override
    public void forEachKey(long from, long to, LongConsumer action) {
        Objects.requireNonNull(action);
        final EntryCursor<Long, V> walk = walk(from, to, false);
        while (walk.next()) {
            action.accept(walk.key());
        }
    }

    @Override
    public void forEachEntry(LongEntryConsumer<? super V> action) {
        forEachEntry(Long.MIN_VALUE, Long.MAX_VALUE, action);
    }

    @Override
    public void forEachEntry(long from, long to, LongEntryConsumer<? super V> action) {
        Objects.requireNonNull(action);
        final EntryCursor<Long, V> walk = walk(from, to, true);
        while (walk.next()) {
            action.accept(walk.key(), walk.value());
        }
    }

    @Override
    public void forEachBytes(long from, long to, LongBytesConsumer action) {
        Objects.requireNonNull(action);
        final EntryCursor<Long, V> walk = walk(from, to, true);
        final EncodedBytes value = new EncodedBytes();
        while (walk.next()) {
            walk.copyValue(value);
            action.accept(walk.key(), value.bytes(), 0, value.length());
        }
    }

    @Override
    public PrimitiveIterator.OfLong keyIterator() {
        final Iterator<Long> keys = keySet().iterator();
        return new PrimitiveIterator.OfLong() {
            @Override
            public boolean hasNext() {
                return keys.hasNext();
            }

            @Override
            public long nextLong() {
                return keys.next();
            }

            @Override
            public void remove() {
                keys.remove();
            }
        };
    }
}
