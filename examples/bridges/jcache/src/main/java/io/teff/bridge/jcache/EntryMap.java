package io.teff.bridge.jcache;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.cache.CacheBuilder;
import io.teff.engine.cache.CacheMap;
import io.teff.engine.cache.RemovalCause;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ValueChange;
import java.util.concurrent.ConcurrentMap;

/**
 * The map of a cache in the store of its manager: a map without a limit, or a cache of the engine, which evicts.
 *
 * <p>The engine's cache has a limit only. The times of expiry stay with the entries of this bridge, because listeners
 * are called under the lock of the entry, in the order of the changes, and the engine's cache calls its listener after
 * the change. An eviction has no listener in JCache, so an eviction needs no lock of the bridge: an entry that a thread
 * has just read may be evicted, as it may be a moment later.
 */
interface EntryMap {
    /** Returns the entries; the reads of a map with a limit count as uses. */
    ConcurrentMap<byte[], byte[]> entries();

    /** Puts an entry; returns whether the key is new. */
    boolean set(byte[] key, byte[] entry);

    /** Removes an entry; returns whether there was one. */
    boolean delete(byte[] key);

    /** Changes the time of expiry of an entry, if there is one; returns whether there is one. */
    boolean setExpiry(byte[] key, long expiryMs);

    /** Ends the use of the map, which is dropped next. */
    void close();

    /**
     * Opens a map.
     *
     * @param store store of the manager
     * @param name name of the map
     * @param limit limit of the cache, which a store of a cluster cannot have
     * @param evicted called for each entry that was evicted
     */
    static EntryMap open(ChunkStore store, String name, CacheLimit limit, Runnable evicted) {
        if (!limit.isSet()) {
            return new Whole(store.map(name, Codecs.BYTES, Codecs.BYTES), store instanceof Store);
        }
        CacheBuilder<byte[], byte[]> builder = CacheMap.builder(Codecs.BYTES, Codecs.BYTES)
            .listener((_, _, cause) -> {
                if (cause == RemovalCause.SIZE) {
                    evicted.run();
                }
            });
        return new Limited((limit.entries() > 0 ? builder.limitEntries(limit.entries())
            : builder.limitBytes(limit.bytes())).open(store, name));
    }

    /** A map without a limit. */
    record Whole(ChunkMap<byte[], byte[]> entries, boolean isHere) implements EntryMap {
        @Override
        public boolean set(byte[] key, byte[] entry) {
            return entries.set(key, entry);
        }

        @Override
        public boolean delete(byte[] key) {
            return entries.delete(key);
        }

        /** Changes the time in place, or by a function at the owner of the entry. */
        @Override
        public boolean setExpiry(byte[] key, long expiryMs) {
            return isHere ? entries.update(key, editor -> editor.putLong(EntryLayout.EXPIRY, expiryMs))
                : entries.modify(key, ValueChange.set(expiryMs).toLong(EntryLayout.EXPIRY));
        }

        @Override
        public void close() {
            // dropping the map ends its use
        }
    }

    /** A map with a limit. */
    record Limited(CacheMap<byte[], byte[]> entries) implements EntryMap {
        @Override
        public boolean set(byte[] key, byte[] entry) {
            return entries.set(key, entry);
        }

        @Override
        public boolean delete(byte[] key) {
            return entries.delete(key);
        }

        @Override
        public boolean setExpiry(byte[] key, long expiryMs) {
            return entries.computeIfPresent(key, (_, entry) -> {
                byte[] moved = entry.clone();
                EntryLayout.setExpiry(moved, expiryMs);
                return moved;
            }) != null;
        }

        @Override
        public void close() {
            entries.close();
        }
    }
}
