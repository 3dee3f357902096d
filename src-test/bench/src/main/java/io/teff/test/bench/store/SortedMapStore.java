package io.teff.test.bench.store;

import java.util.Iterator;
import java.util.concurrent.ConcurrentNavigableMap;

/** Any sorted map from boxed keys to arrays on the heap. */
class SortedMapStore extends MapStore implements SortedKeyedMap {
    private final ConcurrentNavigableMap<Long, byte[]> map;

    SortedMapStore(ConcurrentNavigableMap<Long, byte[]> map, boolean keepsArrays, Runnable closing) {
        super(map, keepsArrays, closing);
        this.map = map;
    }

    /** Returns the values of a range by a method that is faster than the iterator of the entries, if there is one. */
    Iterator<byte[]> values(long from, long to) {
        return map.subMap(from, to).values().iterator();
    }

    @Override
    public final long ceiling(long key) {
        return map.ceilingKey(key);
    }

    @Override
    public final long sumOfRange(long from, long to) {
        return sumOfEntries(map.subMap(from, to));
    }

    @Override
    public long sumOfRangeFast(long from, long to) {
        long sum = 0;
        for (Iterator<byte[]> values = values(from, to); values.hasNext(); ) {
            sum += first(values.next());
        }
        return sum;
    }
}
