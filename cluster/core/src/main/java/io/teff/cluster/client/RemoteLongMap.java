package io.teff.cluster.client;

import io.teff.cluster.operation.MapMode;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.LongEntryConsumer;
import io.teff.engine.collect.LongMapLoader;
import io.teff.engine.error.Status;
import io.teff.engine.map.EntryCursor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map of a cluster whose keys are numbers. Thread-safe.
 *
 * @param <V> type of the values
 */
final class RemoteLongMap<V> extends RemoteMap<Long, V> implements ChunkLongMap<V> {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    RemoteLongMap(RemotePartitions partitions, FormCodec<V> values) {
        super(partitions, Codecs.LONG, values);
    }

    private static byte[] bytes(long key) {
        final byte[] bytes = new byte[Long.BYTES];
        LONG.set(bytes, 0, key);
        return bytes;
    }

    private byte @Nullable [] plain(byte @Nullable [] found) {
        return found == null ? null : forms().plain(found);
    }

    @Override
    public @Nullable V get(long key) {
        return value(findNear(bytes(key)));
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
    public int getAllBytes(long[] keys, int from, int count, byte[] target, int offset, int[] lengths) {
        Objects.checkFromIndexSize(from, count, keys.length);
        Objects.checkFromIndexSize(0, count, lengths.length);
        Objects.checkFromIndexSize(offset, 0, target.length);
        final List<byte[]> wanted = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            wanted.add(bytes(keys[from + i]));
        }
        final Map<Integer, byte[]> found = new HashMap<>();
        bulk().getAll(wanted, found::put);
        int at = offset;
        for (int i = 0; i < count; i++) {
            final byte[] value = plain(found.get(i));
            if (value == null) {
                lengths[i] = Status.ABSENT;
            } else if (value.length > target.length - at) {
                lengths[i] = Status.TOO_SMALL;
            } else {
                System.arraycopy(value, 0, target, at, value.length);
                lengths[i] = value.length;
                at += value.length;
            }
        }
        return at - offset;
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
        return !send(MapMode.SET, bytes(key), null, valueBytes(value)).isDone();
    }

    @Override
    public boolean setBytes(long key, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        return !send(MapMode.SET, bytes(key), null, forms().sealed(Arrays.copyOfRange(source, offset,
            offset + length))).isDone();
    }

    @Override
    public boolean delete(long key) {
        return send(MapMode.DELETE, bytes(key), null, null).isDone();
    }

    @Override
    public void forEachKey(LongConsumer action) {
        Objects.requireNonNull(action);
        try (EntryCursor<Long, V> cursor = range(false).cursor()) {
            while (cursor.next()) {
                action.accept(cursor.key());
            }
        }
    }

    @Override
    public void forEachEntry(LongEntryConsumer<? super V> action) {
        Objects.requireNonNull(action);
        try (EntryCursor<Long, V> cursor = range(true).cursor()) {
            while (cursor.next()) {
                action.accept(cursor.key(), cursor.value());
            }
        }
    }

    @Override
    public PrimitiveIterator.OfLong keyIterator() {
        final var keys = keySet().iterator();
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

    @Override
    public LongMapLoader<V> loader(long expectedEntries) {
        final RemoteLoader<Long, V> loader = new RemoteLoader<>(this, expectedEntries);
        return new LongMapLoader<>() {
            @Override
            public void add(Long key, V value) {
                loader.add(key, value);
            }

            @Override
            public void add(long key, V value) {
                loader.add(key, value);
            }

            @Override
            public void addBytes(long key, byte[] source, int offset, int length) {
                Objects.checkFromIndexSize(offset, length, source.length);
                loader.addBytes(bytes(key), Arrays.copyOfRange(source, offset, offset + length));
            }

            @Override
            public void flush() {
                loader.flush();
            }

            @Override
            public void close() {
                loader.close();
            }
        };
    }
}
