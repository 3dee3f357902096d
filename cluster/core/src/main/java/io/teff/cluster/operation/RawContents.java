package io.teff.cluster.operation;

import io.teff.cluster.collect.KeyRange;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.raw.RawCollection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;

/** The contents of collections at their owner: elements and values are bytes, keys are objects. Pure functions. */
final class RawContents {
    private RawContents() {}

    @SuppressWarnings("unchecked")
    static ChunkQueue<byte[]> of(ChunkQueue<?> queue) {
        return (ChunkQueue<byte[]>) queue;
    }

    @SuppressWarnings("unchecked")
    static ChunkList<byte[]> of(ChunkList<?> list) {
        return (ChunkList<byte[]>) list;
    }

    @SuppressWarnings("unchecked")
    static ChunkSortedMap<Object, byte[]> of(ChunkSortedMap<?, ?> map) {
        return (ChunkSortedMap<Object, byte[]>) map;
    }

    static IllegalArgumentException wrong(CollectionMode mode) {
        return new IllegalArgumentException(mode + " is not for this kind of collection");
    }

    // ---- numbers ----

    /** Returns the bytes of a number. */
    static byte[] bytes(long number) {
        final Output out = Output.growing(Long.BYTES);
        out.putLong(number);
        return out.toByteArray();
    }

    /** Returns the bytes of a revision and an index. */
    static byte[] shown(long revision, long index) {
        final Output out = Output.growing(2 * Long.BYTES);
        out.putLong(revision);
        out.putLong(index);
        return out.toByteArray();
    }

    /** Returns the bytes of a place in a queue. */
    static byte[] place(long segment, int at) {
        final Output out = Output.growing(Long.BYTES + Integer.BYTES);
        out.putLong(segment);
        out.putInt(at);
        return out.toByteArray();
    }

    /** Returns the parts of a content: of each its length (4), and its bytes. */
    static List<byte[]> split(byte[] content) {
        final List<byte[]> parts = new ArrayList<>();
        final MemorySegment memory = MemorySegment.ofArray(content);
        for (int at = 0; at < content.length; ) {
            final int from = at + Integer.BYTES;
            final long end = from <= content.length ? (long) from + memory.get(OperationFormat.INT, at) : -1;
            if (end < from || end > content.length) {
                throw new MalformedException(at, "an element that does not end in the request", null);
            }
            parts.add(Arrays.copyOfRange(content, from, (int) end));
            at = (int) end;
        }
        return parts;
    }

    // ---- sorted maps ----

    private static Codec<Object> keys(RawCollection collection) {
        return Objects.requireNonNull(collection.keys(), "a sorted map");
    }

    /** Returns the key at the beginning of an array. */
    static Object key(RawCollection collection, byte[] bytes, int length) {
        final Input in = new Input(bytes, 0, length);
        final Object key = keys(collection).read(in);
        if (in.left() > 0) {
            throw new MalformedException(in.offset(), in.left() + " bytes behind a key", null);
        }
        return key;
    }

    /** Returns the bytes of a key. */
    static byte[] bytes(RawCollection collection, Object key) {
        final Output out = Output.growing(64);
        out.putValue(keys(collection), key);
        return out.toByteArray();
    }

    /** Returns the bytes of an entry: length of the key, key, value. */
    static byte[] entry(RawCollection collection, Map.Entry<Object, byte[]> entry) {
        final byte[] key = bytes(collection, entry.getKey());
        final byte[] value = entry.getValue();
        final Output out = Output.growing(Integer.BYTES + key.length + value.length);
        out.putInt(key.length);
        out.putBytes(key, 0, key.length);
        out.putBytes(value, 0, value.length);
        return out.toByteArray();
    }

    /** Returns the entries of a range, in the direction of the range. */
    static NavigableMap<Object, byte[]> in(RawCollection collection, ChunkSortedMap<Object, byte[]> map,
                                           KeyRange range) {
        NavigableMap<Object, byte[]> part = map;
        final byte[] low = range.low();
        final byte[] high = range.high();
        if (low != null && high != null) {
            part = map.subMap(key(collection, low, low.length), range.isLowIn(), key(collection, high, high.length),
                range.isHighIn());
        } else if (low != null) {
            part = map.tailMap(key(collection, low, low.length), range.isLowIn());
        } else if (high != null) {
            part = map.headMap(key(collection, high, high.length), range.isHighIn());
        }
        return range.isUpwards() ? part : part.descendingMap();
    }
}
