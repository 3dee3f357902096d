package io.teff.test.bench.store;

import java.util.Map;

/** Any {@code Map} from boxed keys to arrays on the heap. */
class MapStore extends ArrayStore implements KeyedMap {
    private final Map<Long, byte[]> map;
    private final boolean keepsArrays;
    private final Runnable closing;

    /** A map that keeps the given array, so that each put needs a new one. */
    MapStore(Map<Long, byte[]> map) {
        this(map, true, map::clear);
    }

    MapStore(Map<Long, byte[]> map, boolean keepsArrays, Runnable closing) {
        this.map = map;
        this.keepsArrays = keepsArrays;
        this.closing = closing;
    }

    @Override
    byte[] find(long key) {
        return map.get(key);
    }

    @Override
    void keep(long key, byte[] value) {
        map.put(key, keepsArrays ? value.clone() : value);
    }

    @Override
    public boolean remove(long name) {
        return map.remove(name) != null;
    }

    @Override
    public void increment(long key) {
        map.compute(key, MapStore::incremented);
    }

    /** A value with its counter increased by 1. */
    static byte[] incremented(Long key, byte[] before) {
        byte[] after = before.clone();
        LONG.set(after, COUNTER_OFFSET, (long) LONG.get(before, COUNTER_OFFSET) + 1);
        return after;
    }

    @Override
    public long sum() {
        return sum(map.values());
    }

    @Override
    public long sumOfKeys() {
        long sum = 0;
        for (long key : map.keySet()) {
            sum += key;
        }
        return sum;
    }

    @Override
    public long sumOfEntries() {
        return sumOfEntries(map);
    }

    /** The sum of all keys and of the first eight bytes of all values, by the iterator of the map's entries. */
    static long sumOfEntries(Map<Long, byte[]> map) {
        long sum = 0;
        for (Map.Entry<Long, byte[]> entry : map.entrySet()) {
            sum += entry.getKey() + first(entry.getValue());
        }
        return sum;
    }

    @Override
    public void close() {
        closing.run();
    }
}
