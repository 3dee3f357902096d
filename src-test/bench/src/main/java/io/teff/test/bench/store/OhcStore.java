package io.teff.test.bench.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.Eviction;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;

/** OHC without eviction: linked (one allocation per entry), or chunked with a fixed size per entry. */
final class OhcStore extends ArrayStore {
    private static final int SEGMENT_ENTRIES = 64;
    private static final int CHUNK_HEADER_BYTES = 64;

    private final OHCache<Long, byte[]> cache;
    private final boolean chunked;

    OhcStore(boolean chunked, long memoryBytes, long entries, int lengthMax) {
        OHCacheBuilder<Long, byte[]> builder = OHCacheBuilder.<Long, byte[]>newBuilder()
            .keySerializer(new Keys()).valueSerializer(new Values()).capacity(memoryBytes)
            .eviction(Eviction.LRU).throwOOME(true);
        int perSegment = (int) Math.max(entries / (2L * Runtime.getRuntime().availableProcessors()), SEGMENT_ENTRIES);
        builder.hashTableSize(Integer.highestOneBit(perSegment) * 2).loadFactor(0.75f);
        if (chunked) {
            builder.chunkSize(1 << 20).fixedEntrySize(Long.BYTES, Integer.BYTES + lengthMax);
            assert lengthMax + CHUNK_HEADER_BYTES < 1 << 20 : lengthMax;
        }
        cache = builder.build();
        this.chunked = chunked;
    }

    @Override
    byte[] find(long key) {
        return cache.get(key);
    }

    @Override
    void keep(long key, byte[] value) {
        if (!cache.put(key, value)) {
            throw new IllegalStateException("key=" + key + " was refused");
        }
    }

    @Override
    public boolean remove(long name) {
        return cache.remove(name);
    }

    @Override
    public long sum() {
        if (chunked) {
            return UNSUPPORTED;                                 // its iterator leaves entries out
        }
        long sum = 0;
        for (Iterator<Long> keys = cache.keyIterator(); keys.hasNext(); ) {
            sum += readLong(keys.next());
        }
        return sum;
    }

    @Override
    public void close() {
        try {
            cache.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Keys implements CacheSerializer<Long> {
        @Override
        public void serialize(Long key, ByteBuffer buffer) {
            buffer.putLong(key);
        }

        @Override
        public Long deserialize(ByteBuffer buffer) {
            return buffer.getLong();
        }

        @Override
        public int serializedSize(Long key) {
            return Long.BYTES;
        }
    }

    private static final class Values implements CacheSerializer<byte[]> {
        @Override
        public void serialize(byte[] value, ByteBuffer buffer) {
            buffer.putInt(value.length).put(value);
        }

        @Override
        public byte[] deserialize(ByteBuffer buffer) {
            byte[] value = new byte[buffer.getInt()];
            buffer.get(value);
            return value;
        }

        @Override
        public int serializedSize(byte[] value) {
            return Integer.BYTES + value.length;
        }
    }
}
