package io.teff.engine.hash;

import io.teff.engine.index.IndexCatalogue;
import io.teff.engine.map.EntryIndexes;
import io.teff.engine.map.EntryPart;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLocks;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the indexes of a hash map need of the map: to be called at each change, to visit entries under their locks, and
 * the catalogue that names the indexes. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class MapIndexing<K, V> {
    private final ChunkHashMap<K, V> map;
    private final EntryWriter entries;
    private @Nullable IndexCatalogue catalogue;
    /** The indexes as the application uses them; guarded by this. */
    private @Nullable Object owner;

    MapIndexing(ChunkHashMap<K, V> map, EntryWriter entries) {
        this.map = map;
        this.entries = entries;
    }

    /**
     * Gives the map the catalogue of its indexes, before the application has the map. If the catalogue lists indexes,
     * all changes are refused until the indexes are declared again.
     *
     * @param ofMap the catalogue
     */
    public void open(IndexCatalogue ofMap) {
        catalogue = ofMap;
        if (!ofMap.ready().isEmpty()) {
            map.table.indexes = (key, before, after, change) -> {
                throw new IllegalStateException("the map " + ofMap.mapName() + " has indexes that this program has "
                    + "not declared: " + ofMap.ready() + "; declare them by IndexedMap.index(name, fields), or drop "
                    + "them, before the first change");
            };
        }
    }

    /** {@return the catalogue, or null for a map without a name} */
    public @Nullable IndexCatalogue catalogue() {
        return catalogue;
    }

    /** {@return chunk operations of the store} */
    public CollectionChunks chunks() {
        return map.chunks;
    }

    /**
     * Returns the object that keeps the indexes of this map.
     *
     * @param <T> type of the object
     * @param type class of the object
     * @param maker makes the object at the first call
     * @return the object of the first call
     */
    public synchronized <T> T owner(Class<T> type, Supplier<T> maker) {
        if (owner == null) {
            owner = maker.get();
        }
        return type.cast(owner);
    }

    /**
     * Has indexes called at each later change. Waits for changes under way.
     *
     * @param indexes the indexes, or null for none
     */
    public void attach(@Nullable EntryIndexes indexes) {
        map.table.writerLocks.checkNotInside();
        map.table.bulk.writeLock().lock();
        try {
            map.table.writerLocks.runExclusively(() -> map.table.indexes = indexes);
        } finally {
            map.table.bulk.writeLock().unlock();
        }
    }

    /** Throws if the map has indexes, which a change of bytes in place would not reach. */
    void requireNone() {
        if (map.table.indexes != null) {
            throw new IllegalStateException("the map has indexes, which an update in place does not reach; use "
                + "compute, apply or put");
        }
    }

    /**
     * Shows the bytes of an entry under its writer lock, without waiting until the visitor's changes are durable.
     *
     * @param key key of the entry
     * @param visitor called with key and value if there is an entry
     */
    public void visit(K key, BiConsumer<EntryPart, EntryPart> visitor) {
        HashOperation operation = map.operationOn(key);
        try {
            map.table.lock(operation);
            try {
                EntryPart value = entries.value(operation);
                if (value != null) {
                    visitor.accept(entries.key(operation), value);
                }
            } finally {
                map.table.writerLocks.unlockOnly(WriterLocks.of(operation.hash));
            }
        } finally {
            ChunkHashMap.POOL.release(operation);
        }
    }

    /**
     * Runs an action while no entry is changed.
     *
     * @param action reads the map and its indexes
     */
    public void exclusively(Runnable action) {
        map.table.writerLocks.runExclusively(action);
    }
}
