package io.teff.test.conformance;

import io.teff.engine.Store;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.config.StoreConfig;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.atomic.AtomicLong;

/** One store for all tests of the process, and unused names in it. */
final class Fresh {
    static final Store STORE = Store.open(StoreConfig.builder().memoryLimitBytes(1L << 30).build());

    private static final AtomicLong NAMES = new AtomicLong();

    private Fresh() {}

    /** Returns a name that no collection of the store has had. */
    static String name() {
        return "collection-" + NAMES.incrementAndGet();
    }

    /** Puts entries, each an {@code Entry<K, V>}, and audits the map. */
    @SuppressWarnings("unchecked")
    static <K, V, M extends Map<K, V> & ChunkCollection> M filled(M map, Object[] entries) {
        for (Object entry : entries) {
            map.put(((Entry<K, V>) entry).getKey(), ((Entry<K, V>) entry).getValue());
        }
        map.audit();
        return map;
    }

    /** Drops all collections after a test. */
    static void dropAll() {
        for (String name : STORE.names().all().keySet()) {
            STORE.names().drop(name);
        }
    }
}
