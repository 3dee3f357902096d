package io.teff.cluster.client;

import io.teff.cluster.NearCacheStats;
import io.teff.engine.os.Clock;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The near caches of a client: one for each collection that the client has opened, for all objects that show the
 * collection, so that a change by one object removes the copies of all. Thread-safe.
 */
final class NearCaches {
    private final Clock clock;
    private final Map<Long, Named> byToken = new ConcurrentHashMap<>();

    private record Named(String name, NearCopies copies) {}

    NearCaches(Clock clock) {
        this.clock = clock;
    }

    /** Returns the copies of a collection. */
    NearCopies of(String name, CollectionRow row) {
        return byToken.computeIfAbsent(row.token(), _ -> new Named(name, new NearCopies(clock, row.seed()))).copies;
    }

    /** Ends the copies of a collection that is being dropped. */
    void drop(CollectionRow row) {
        final Named dropped = byToken.remove(row.token());
        if (dropped != null) {
            dropped.copies.close();
        }
    }

    /** Returns the numbers of the collections with copies, by name. */
    Map<String, NearCacheStats> stats() {
        final Map<String, NearCacheStats> all = new TreeMap<>();
        byToken.values().forEach(it -> {
            final NearCacheStats stats = it.copies.stats();
            if (stats != null) {
                all.put(it.name, stats);
            }
        });
        return all;
    }
}
