package io.teff.test.bench.store;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The maps that are compared, empty, each in a store or memory of its own that is given back when it is closed. */
public final class KeyedMaps {
    private KeyedMaps() {}

    /**
     * A store of Teff for one collection.
     *
     * @param memoryBytes how much it may take
     * @return the store
     */
    public static Store teffStore(long memoryBytes) {
        return Store.open(StoreConfig.builder().memoryLimitBytes(memoryBytes).build());
    }

    /**
     * Teff's hash map by its forms without boxes.
     *
     * @param memoryBytes how much it may take
     * @return the map
     */
    public static KeyedMap teffLong(long memoryBytes) {
        return new TeffMapStore(teffStore(memoryBytes));
    }

    /**
     * The same, in a store that is never defragmented by itself.
     *
     * @param memoryBytes how much it may take
     * @return the map
     */
    public static KeyedMap teffLongStill(long memoryBytes) {
        return new TeffMapStore(Store.open(StoreConfig.builder().memoryLimitBytes(memoryBytes).defragCpuPercent(0)
            .build()));
    }

    /**
     * Teff's hash map by the methods of {@link java.util.concurrent.ConcurrentMap} only.
     *
     * @param memoryBytes how much it may take
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
     * Chronicle Map.
     *
     * @param entries most entries that it will have
     * @param values their lengths
     * @return the map
     */
    public static KeyedMap chronicle(long entries, Values values) {
        return new ChronicleStore(entries, values.lengthMin(), values.lengthMax());
    }

    /**
     * Teff's sorted map.
     *
     * @param memoryBytes how much it may take
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
