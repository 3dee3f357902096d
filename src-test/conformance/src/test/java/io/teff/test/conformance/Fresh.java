package io.teff.test.conformance;

import io.teff.engine.Store;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.config.StoreConfig;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.atomic.AtomicLong;

/** A store for all tests of the process, with names that nobody has used. */
final class Fresh {
    static final Store STORE = Store.open(StoreConfig.builder().memoryLimitBytes(1L << 30).build());

    private static final AtomicLong NAMES = new AtomicLong();

    private Fresh() {}

    static String name() {
        return "collection-" + NAMES.incrementAndGet();
    }

    /** Puts entries, which are such of the map, and audits it. */
    @SuppressWarnings("unchecked")
    static <K, V, M extends Map<K, V> & ChunkCollection> M filled(M map, Object[] entries) {
        for (Object entry : entries) {
            map.put(((Entry<K, V>) entry).getKey(), ((Entry<K, V>) entry).getValue());
        }
        map.audit();
        return map;
    }

    /** After a test: its collections are audited and removed. */
    static void dropAll() {
        for (String name : STORE.names().all().keySet()) {
            STORE.names().drop(name);
        }
    }
}
