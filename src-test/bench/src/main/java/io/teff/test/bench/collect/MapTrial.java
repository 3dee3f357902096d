package io.teff.test.bench.collect;

import io.teff.test.bench.load.Draws;
import io.teff.test.bench.store.KeyedMap;
import java.util.function.LongFunction;

/**
 * The operations of maps of {@code long} to 32 bytes. Keys are 0, 1, 2 and so on, put in this order and removed in a
 * random one.
 *
 * @param <M> type of the map
 */
class MapTrial<M extends KeyedMap> extends FilledTrial<M> {
    private final LongFunction<M> open;
    private final Content content = new Content();
    private long increments;

    MapTrial(CollectionPlan plan, LongFunction<M> open) {
        super(plan);
        this.open = open;
    }

    @Override
    final Held<M> open(long count) {
        return Held.map(open.apply(count));
    }

    /** The key of a number below the count of entries; must keep their order. */
    long key(long number) {
        return number;
    }

    /** The number of the entry that is put at a place. */
    long numberAt(Shuffle order, long place) {
        return place;
    }

    @Override
    final void fill(M map, Shuffle order, long from, long to) {
        for (long place = from; place < to; place++) {
            long key = key(numberAt(order, place));
            map.create(key, content.of(key));
        }
    }

    @Override
    final void empty(M map, Shuffle order, long from, long to) {
        for (long place = from; place < to; place++) {
            long key = key(order.at(place));
            Trial.check(map.remove(key), "nothing to remove at key", key);
        }
    }

    @Override
    void measure(M map) {
        measure("get", () -> get(map));
        measure("put", () -> put(map));
        measure("compute", () -> increment(map));
        checkContent(map);
        long sumOfKeys = (key(0) + key(entries - 1)) * entries / 2;
        measure("keys", () -> {
            long sum = map.sumOfKeys();
            Trial.check(sum == sumOfKeys, "the sum of all keys is", sum);
            return entries;
        });
        measure("entries", () -> {
            long sum = map.sumOfEntries();
            Trial.check(sum == 2 * sumOfKeys, "the sum of all entries is", sum);
            return entries;
        });
    }

    // The loops keep fields in locals, because the fences of a read make the JIT reload fields.

    private long get(M map) {
        final Content own = content;
        final long count = entries;
        long state = seed;
        for (int i = 0; i < GROUP; i++) {
            state = Draws.next(state);
            own.get(map, key(Draws.below(state, count)));
        }
        seed = state;
        return GROUP;
    }

    private long put(M map) {
        final Content own = content;
        final long count = entries;
        long state = seed;
        for (int i = 0; i < GROUP; i++) {
            state = Draws.next(state);
            long key = key(Draws.below(state, count));
            map.put(key, own.of(key));
        }
        seed = state;
        return GROUP;
    }

    private long increment(M map) {
        final long count = entries;
        long state = seed;
        for (int i = 0; i < GROUP; i++) {
            state = Draws.next(state);
            map.increment(key(Draws.below(state, count)));
        }
        seed = state;
        increments += GROUP;
        return GROUP;
    }

    private void checkContent(M map) {
        long sum = 0;
        for (long number = 0; number < entries; number++) {
            sum += content.getAll(map, key(number));
        }
        Trial.check(sum == increments, "not the number of all increments, but", sum);
    }
}
