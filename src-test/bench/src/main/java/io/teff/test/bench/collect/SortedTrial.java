package io.teff.test.bench.collect;

import io.teff.test.bench.load.Draws;
import io.teff.test.bench.store.SortedKeyedMap;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * The operations of sorted maps, in addition to those of all maps. Keys are 0, 2, 4 and so on, put and removed in a
 * random order, so that there are absent keys to search for.
 */
final class SortedTrial extends MapTrial<SortedKeyedMap> {
    /** Entries of a range. */
    static final int RANGE = 100;

    private static final int DISTANCE = 2;
    private static final int RANGES_PER_GROUP = 4;

    SortedTrial(CollectionPlan plan, LongFunction<SortedKeyedMap> open) {
        super(plan, open);
    }

    @Override
    long key(long number) {
        return number * DISTANCE;
    }

    @Override
    long numberAt(Shuffle order, long place) {
        return order.at(place);
    }

    @Override
    void measure(SortedKeyedMap map) {
        super.measure(map);
        measure("ceiling", () -> ceiling(map));
        measure("range", () -> ranges(map, false));
        measure("range fast", () -> ranges(map, true));
    }

    @Override
    void loadAll(Map<String, Object> more) {}                   // sorted maps have one way to be filled

    private long ceiling(SortedKeyedMap map) {
        final long count = entries;
        long state = seed;
        for (int i = 0; i < GROUP; i++) {
            state = Draws.next(state);
            long key = key(Draws.below(state, count));
            long found = map.ceiling(key - 1);
            Trial.check(found == key, "not the key that was asked for, but", found);
        }
        seed = state;
        return GROUP;
    }

    private long ranges(SortedKeyedMap map, boolean fast) {
        for (int i = 0; i < RANGES_PER_GROUP; i++) {
            seed = Draws.next(seed);
            long from = key(Draws.below(seed, entries - RANGE + 1));
            long to = from + (long) RANGE * DISTANCE;
            long sumOfKeys = (from + to - DISTANCE) * RANGE / 2;
            long sum = fast ? map.sumOfRangeFast(from, to) : map.sumOfRange(from, to);
            Trial.check(sum == (fast ? sumOfKeys : 2 * sumOfKeys), "the sum of a range is", sum);
        }
        return (long) RANGES_PER_GROUP * RANGE;
    }
}
