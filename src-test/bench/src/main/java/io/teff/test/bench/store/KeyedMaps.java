package io.teff.test.bench.store;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The compared maps, empty, each in a store or memory of its own that is freed when it is closed. */
public final class KeyedMaps {
    private KeyedMaps() {}

    /**
     * Returns a store of Teff for one collection.
     *
     * @param memoryBytes its maximum memory
     * @return the store
     */
    public static Store teffStore(long memoryBytes) {
        return Store.open(StoreConfig.builder().memoryLimitBytes(memoryBytes).build());
    }

    /**
     * Returns Teff's hash map by its methods without boxing.
     *
     * @param memoryBytes its maximum memory
     * @return the map
     */
    public static KeyedMap teffLong(long memoryBytes) {
        return new TeffMapStore(teffStore(memoryBytes));
    }

    /**
     * Returns Teff's hash map by its methods without boxing, in a store without automatic defragmentation.
     *
     * @param memoryBytes its maximum memory
     * @return the map
     */
    public static KeyedMap teffLongStill(long memoryBytes) {
        return new TeffMapStore(Store.open(StoreConfig.builder().memoryLimitBytes(memoryBytes).defragCpuPercent(0)
            .build()));
    }

    /**
     * Returns Teff's hash map by the methods of {@link java.util.concurrent.ConcurrentMap} only.
     *
     * @param memoryBytes its maximum memory
     * @return the map
     */
    public static KeyedMap teff(long memoryBytes) {
        Store store = teffStore(memoryBytes);
        return new MapStore(store.map("bench", Codecs.LONG, Codecs.BYTES), false, store::close);
    }

    /** {@return the JDK's concurrent map} */
    public static KeyedMap concurrentHashMap() {
        return new MapStore(new ConcurrentHashMap<>());
    }

    /**
     * Returns Chronicle Map.
     *
     * @param entries maximum number of entries
     * @param values their lengths
     * @return the map
     */
    public static KeyedMap chronicle(long entries, Values values) {
        return new ChronicleStore(entries, values.lengthMin(), values.lengthMax());
    }

    /**
     * Returns Teff's sorted map.
     *
     * @param memoryBytes its maximum memory
     * @return the map
     */
    public static SortedKeyedMap teffSorted(long memoryBytes) {
        return new TeffSortedStore(teffStore(memoryBytes));
    }

    /** {@return MapDB's sorted map in direct memory} */
    public static SortedKeyedMap mapDbTree() {
        return new MapDbTreeStore();
    }

    /** {@return the JDK's sorted concurrent map} */
    public static SortedKeyedMap skipList() {
        ConcurrentSkipListMap<Long, byte[]> map = new ConcurrentSkipListMap<>();
        return new SortedMapStore(map, true, map::clear);
    }
}
