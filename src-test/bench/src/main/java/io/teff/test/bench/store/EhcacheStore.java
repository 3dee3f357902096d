package io.teff.test.bench.store;

import java.nio.ByteBuffer;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;
import org.ehcache.spi.serialization.Serializer;

/** Ehcache with its off-heap tier only, and arrays written as they are. */
final class EhcacheStore extends ArrayStore {
    private static final String NAME = "bench";

    private final CacheManager manager;
    private final Cache<Long, byte[]> cache;

    EhcacheStore(long memoryBytes) {
        manager = CacheManagerBuilder.newCacheManagerBuilder().withCache(NAME, CacheConfigurationBuilder
            .newCacheConfigurationBuilder(Long.class, byte[].class,
                ResourcePoolsBuilder.newResourcePoolsBuilder().offheap(memoryBytes >> 20, MemoryUnit.MB))
            .withValueSerializer(new Values())).build(true);
        cache = manager.getCache(NAME, Long.class, byte[].class);
    }

    @Override
    byte[] find(long key) {
        return cache.get(key);
    }

    @Override
    void keep(long key, byte[] value) {
        cache.put(key, value);
    }

    @Override
    public boolean remove(long name) {
        boolean there = cache.containsKey(name);
        cache.remove(name);
        return there;
    }

    @Override
    public long sum() {
        long sum = 0;
        for (Cache.Entry<Long, byte[]> entry : cache) {
            sum += first(entry.getValue());
        }
        return sum;
    }

    @Override
    public void close() {
        manager.close();
    }

    private static final class Values implements Serializer<byte[]> {
        @Override
        public ByteBuffer serialize(byte[] value) {
            return ByteBuffer.wrap(value);
        }

        @Override
        public byte[] read(ByteBuffer buffer) {
            byte[] value = new byte[buffer.remaining()];
            buffer.get(value);
            return value;
        }

        @Override
        public boolean equals(byte[] value, ByteBuffer buffer) {
            return ByteBuffer.wrap(value).equals(buffer);
        }
    }
}
