package io.teff.test.bench.collect;

import io.teff.test.bench.load.Draws;
import io.teff.test.bench.store.KeyedMap;
import io.teff.test.bench.store.KeyedStore;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * The operations of maps of {@code long} to 32 bytes. Keys are 0, 1, 2 and so on, put in this order and removed in a
 * random one.
 *
 * @param <M> type of the map
 */
class MapTrial<M extends KeyedMap> extends FilledTrial<M> {
    /** Number of keys that are asked for together. */
    private static final int BATCH = 64;
    private static final int WARM_LOAD = 20_000;

    private final LongFunction<M> open;
    private final Content content = new Content();
    private final long[] keys = new long[BATCH];
    private final int[] lengths = new int[BATCH];
    private final byte[] values = new byte[BATCH * BATCH];
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
        fill(map, content, order, from, to);
    }

    private void fill(M map, Content values, Shuffle order, long from, long to) {
        for (long place = from; place < to; place++) {
            long key = key(numberAt(order, place));
            map.create(key, values.of(key));
        }
    }

    @Override
    void fillOtherwise(Map<String, Object> more) {
        try (Held<M> held = open(entries)) {
            more.put("fill 2", Meter.rateOnce(() -> fillByTwo(held.collection())));
        }
        loadAll(more);
    }

    /** Measures the fastest way to put all entries. */
    void loadAll(Map<String, Object> more) {
        try (Held<M> small = open(WARM_LOAD)) {
            small.collection().load(WARM_LOAD, content::of);
        }
        try (Held<M> held = open(entries)) {
            double[] rate = new double[1];
            more.put("load cpu", Meter.rateOnceByProcess(() -> {
                rate[0] = Meter.rateOnce(() -> {
                    held.collection().load(entries, content::of);
                    return entries;
                });
                return entries;
            }));
            more.put("load", rate[0]);
            for (long number = 0; number < entries; number++) {
                content.get(held.collection(), key(number));
            }
        }
    }

    private long fillByTwo(M map) {
        Shuffle order = new Shuffle(entries);
        long half = entries / 2;
        Thread other = new Thread(() -> fillGroups(map, order, half, entries), "filler");
        other.start();
        fillGroups(map, order, 0, half);
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return entries;
    }

    private void fillGroups(M map, Shuffle order, long start, long end) {
        Content own = new Content();
        for (long from = start; from < end; from += GROUP) {
            fill(map, own, order, from, Math.min(from + GROUP, end));
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
        measure("get 64", () -> getAll(map));
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

    private long getAll(M map) {
        final long count = entries;
        long state = seed;
        for (int i = 0; i < keys.length; i++) {
            state = Draws.next(state);
            keys[i] = key(Draws.below(state, count));
        }
        seed = state;
        map.getAll(keys, lengths, values);
        int at = 0;
        for (int i = 0; i < keys.length; i++) {
            boolean isRight = lengths[i] > Long.BYTES && (long) KeyedStore.LONG.get(values, at) == keys[i];
            Trial.check(isRight, "the value of key", keys[i]);
            at += lengths[i];
        }
        return keys.length;
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
