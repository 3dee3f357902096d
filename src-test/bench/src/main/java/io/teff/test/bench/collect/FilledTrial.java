package io.teff.test.bench.collect;

import io.teff.test.bench.session.ProcessMemory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Fills a collection, measures operations on it, and empties it.
 *
 * @param <C> type of the collection
 */
abstract class FilledTrial<C> implements Trial {
    /** Operations between two readings of the clock. */
    static final int GROUP = 256;
    /** Not more: memory retained by the process's allocator would be missing from the bytes per entry. */
    private static final int WARM_ENTRIES = 20_000;

    final long entries;
    /** State of the random numbers; loops carry it in a local. */
    long seed = 1;
    private final Meter meter;
    private final Map<String, Object> figures = new LinkedHashMap<>();

    FilledTrial(CollectionPlan plan) {
        entries = plan.entries();
        meter = new Meter(plan.warmUpMs(), plan.measureMs());
    }

    /** Opens an empty collection for some entries. */
    abstract Held<C> open(long count);

    /** Adds the entries of a range of places in a permutation. */
    abstract void fill(C collection, Shuffle order, long from, long to);

    /** Measures operations on a full collection, and leaves the same number of entries. */
    abstract void measure(C collection);

    /** Measures other ways to fill an empty collection. After the others, because it leaves memory behind. */
    void fillOtherwise(Map<String, Object> more) {}

    /** Removes the entries of a range of places in a permutation. */
    abstract void empty(C collection, Shuffle order, long from, long to);

    @Override
    public final Map<String, Object> run() {
        long warm = Math.min(entries, WARM_ENTRIES);
        try (Held<C> small = open(warm)) {
            meter.warmUp(() -> fillAll(small.collection(), warm) + emptyAll(small.collection(), warm));
        }
        ProcessMemory before = ProcessMemory.now();
        try (Held<C> held = open(entries)) {
            C collection = held.collection();
            double[] rate = new double[1];
            figures.put("fill cpu", Meter.rateOnceByProcess(() -> {
                rate[0] = Meter.rateOnce(() -> fillAll(collection, entries));
                return entries;
            }));
            figures.put("fill", rate[0]);
            figures.put("bytes", (double) ProcessMemory.now().since(before) / entries);
            measure(collection);
            figures.put("remove", Meter.rateOnce(() -> emptyAll(collection, entries)));
        }
        fillOtherwise(figures);
        return figures;
    }

    /** In groups, so that the loop over one of them is compiled as a whole. */
    private long fillAll(C collection, long count) {
        Shuffle order = new Shuffle(count);
        for (long from = 0; from < count; from += GROUP) {
            fill(collection, order, from, Math.min(from + GROUP, count));
        }
        return count;
    }

    private long emptyAll(C collection, long count) {
        Shuffle order = new Shuffle(count);
        for (long from = 0; from < count; from += GROUP) {
            empty(collection, order, from, Math.min(from + GROUP, count));
        }
        return count;
    }

    final void measure(String name, Meter.Work work) {
        figures.put(name, meter.rate(work));
    }
}
