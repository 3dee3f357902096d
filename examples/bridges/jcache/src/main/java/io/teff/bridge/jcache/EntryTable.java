package io.teff.bridge.jcache;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import java.util.Iterator;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache as bytes, in a map of the manager's store; exceptions of the engine become those of JCache.
 * Each method is atomic; a sequence of methods is atomic for the holder of the stripe.
 */
final class EntryTable {
    private final String cacheName;
    private final ChunkStore store;
    private final String mapName;
    private final EntryMap map;
    private final BooleanSupplier reclaim;
    private volatile boolean dropped;

    /**
     * Creates an empty table.
     *
     * @param cacheName name of the cache
     * @param mapName name of the map in the store
     * @param store store of the manager
     * @param limit limit of the cache
     * @param evicted called for each entry that has made room for another
     * @param reclaim called when memory is used up; returns whether it has freed some
     */
    EntryTable(String cacheName, String mapName, ChunkStore store, CacheLimit limit, Runnable evicted,
               BooleanSupplier reclaim) {
        this.cacheName = cacheName;
        this.mapName = mapName;
        this.store = store;
        this.reclaim = reclaim;
        this.map = guarded(() -> EntryMap.open(store, mapName, limit, evicted));
    }

    byte @Nullable [] get(byte[] key) {
        return guarded(() -> map.entries().get(key));
    }

    /**
     * Puts an entry.
     *
     * @throws CacheException if there is no memory even after removing expired entries; nothing is changed
     */
    void put(byte[] key, byte[] entry) {
        guarded(() -> {
            try {
                return map.set(key, entry);
            } catch (StoreException e) {
                if (e.category() != StoreException.Category.DEGRADED || !reclaim.getAsBoolean()) {
                    throw e;
                }
                return map.set(key, entry);
            }
        });
    }

    /** Removes an entry; allocates no memory. */
    boolean remove(byte[] key) {
        return guarded(() -> map.delete(key));
    }

    /** Changes the time of expiry of an entry. */
    void setExpiry(byte[] key, long expiryMs) {
        guarded(() -> map.setExpiry(key, expiryMs));
    }

    /** Iterates over all entries, expired ones included; weakly consistent. */
    Iterator<Map.Entry<byte[], byte[]>> iterator() {
        Iterator<Map.Entry<byte[], byte[]>> entries = guarded(() -> map.entries().entrySet().iterator());
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return guarded(entries::hasNext);
            }

            @Override
            public Map.Entry<byte[], byte[]> next() {
                return guarded(entries::next);
            }
        };
    }

    void clear() {
        guarded(() -> {
            map.entries().clear();
            return true;
        });
    }

    /** Frees all memory; every other method throws from now on. */
    void drop() {
        dropped = true;
        guarded(() -> {
            try {
                map.close();
                return store.names().drop(mapName);
            } catch (StoreClosedException e) {
                return false;                                   // the closed store has freed the memory
            }
        });
    }

    private <T extends @Nullable Object> T guarded(Supplier<T> work) {
        try {
            return work.get();
        } catch (StoreException e) {
            if (dropped) {
                throw closed(e);                                // a reader during the drop sees damage
            }
            throw e.category() == StoreException.Category.DEGRADED ? full(e)
                : new CacheException("cache " + cacheName + ": " + e.getMessage(), e);
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    private IllegalStateException closed(RuntimeException e) {
        return new IllegalStateException("cache " + cacheName + " is closed", e);
    }

    private CacheException full(StoreException e) {
        if (!(store instanceof Store local)) {
            return new CacheException("cache " + cacheName + " cannot store the entry: " + e.getMessage(), e);
        }
        return new CacheException("the memory of " + local.config().name() + " is used up: cache " + cacheName
            + " cannot store the entry, all expired entries have been removed, and the limit is "
            + local.config().memoryLimitBytes() + " bytes; raise the property " + ManagerSettings.MEMORY_LIMIT
            + ", remove entries, or shorten their time to live", e);
    }
}
