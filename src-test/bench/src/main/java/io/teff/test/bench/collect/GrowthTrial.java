package io.teff.test.bench.collect;

import com.sun.management.ThreadMXBean;
import io.teff.test.bench.load.PacedLoad;
import io.teff.test.bench.session.GcPauses;
import io.teff.test.bench.store.KeyedMap;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/**
 * How long inserts wait while a map grows from empty: at a fixed rate by one thread, each wait counted from when the
 * insert was due. Before it the same loop without inserts, to show the share of the machine. The load itself allocates
 * nothing, so the collector runs for the map only.
 */
final class GrowthTrial implements Trial {
    private static final long WARM_ENTRIES_MAX = 1_000_000;
    /** As fast as possible. */
    private static final long WARM_RATE = 1_000_000_000;
    private static final PacedLoad.Operation NOTHING = number -> { };

    private final CollectionPlan plan;
    private final LongFunction<KeyedMap> open;
    private final Content content = new Content();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    GrowthTrial(CollectionPlan plan, LongFunction<KeyedMap> open) {
        this.plan = plan;
        this.open = open;
    }

    private PacedLoad.Operation insertInto(KeyedMap map) {
        return key -> map.create(key, content.of(key));
    }

    @Override
    public Map<String, Object> run() {
        Map<String, Object> figures = new LinkedHashMap<>();
        Histogram idle = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        Histogram growth = new Histogram(idle);
        long entries = Math.min(plan.entries(), WARM_ENTRIES_MAX);
        try (KeyedMap small = open.apply(entries)) {
            PacedLoad.Operation insert = insertInto(small);
            new Meter(plan.warmUpMs(), 1).warmUp(() -> warmUp(small, entries, insert, growth));
        }
        growth.reset();
        try (KeyedMap map = open.apply(plan.entries()); GcPauses pauses = new GcPauses()) {
            PacedLoad.run(idle, plan.rate(), plan.entries(), NOTHING);
            PacedLoad.Operation insert = insertInto(map);
            long before = threads.getCurrentThreadAllocatedBytes();
            PacedLoad.run(growth, plan.rate(), plan.entries(), insert);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            PacedLoad.report(figures, "idle", idle);
            PacedLoad.report(figures, "growth", growth);
            figures.put("allocated bytes", (double) allocated / plan.entries());
            figures.put("gc pause max ms", pauses.maxMs());
            figures.put("gc pause sum ms", pauses.sumMs());
            for (long key = 0; key < plan.entries(); key++) {
                Trial.check(content.getAll(map, key) == 0, "counted by nobody was key", key);
            }
        }
        return figures;
    }

    /**
     * Runs both loads in turn, so that the later one is compiled like the earlier one; over enough entries that the
     * work beside the inserts is compiled too, which would otherwise take the processor from them.
     */
    private static long warmUp(KeyedMap small, long entries, PacedLoad.Operation insert, Histogram histogram) {
        PacedLoad.run(histogram, WARM_RATE, entries, NOTHING);
        PacedLoad.run(histogram, WARM_RATE, entries, insert);
        for (long key = 0; key < entries; key++) {
            Trial.check(small.remove(key), "nothing to remove at key", key);
        }
        return entries;
    }
}
