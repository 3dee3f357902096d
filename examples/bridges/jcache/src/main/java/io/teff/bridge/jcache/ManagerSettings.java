package io.teff.bridge.jcache;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a manager, read from its properties.
 *
 * @param address of a store as of {@link ChunkStore#open}; empty for a store of the manager alone
 * @param store configuration of the store of the manager alone
 * @param lockTimeoutNs maximum wait for an entry held by another thread, in nanoseconds
 * @param sweepMs time between two rounds of sweeping, in milliseconds
 * @param limit limit of each cache
 */
record ManagerSettings(String address, StoreConfig store, long lockTimeoutNs, long sweepMs, CacheLimit limit) {
    static final String PREFIX = "teff.";
    static final String STORE = PREFIX + "store";
    static final String MEMORY_LIMIT = PREFIX + "memoryLimitBytes";
    static final String LIMIT_ENTRIES = PREFIX + "limitEntries";
    static final String LIMIT_BYTES = PREFIX + "limitBytes";
    static final String LOCK_TIMEOUT = PREFIX + "lockTimeoutMillis";
    static final String SWEEP = PREFIX + "sweepMillis";
    static final String HUGE_PAGES = PREFIX + "hugePages";
    static final String DEFRAG = PREFIX + "defragCpuPercent";
    static final String DEBUG = PREFIX + "debugLevel";

    private static final Set<String> KNOWN = new TreeSet<>(Set.of(STORE, MEMORY_LIMIT, LIMIT_ENTRIES,
        LIMIT_BYTES, LOCK_TIMEOUT, SWEEP, HUGE_PAGES, DEFRAG, DEBUG));
    /** Properties of a store of the manager alone. */
    private static final List<String> OWN = List.of(MEMORY_LIMIT, LIMIT_ENTRIES, LIMIT_BYTES, HUGE_PAGES, DEFRAG,
        DEBUG);
    private static final long LOCK_TIMEOUT_MS_DEFAULT = 10_000;
    private static final long SWEEP_MS_DEFAULT = 1_000;
    /** One day: a longer time is probably in a wrong unit. */
    private static final long MS_MAX = 86_400_000;

    /**
     * Reads the properties that begin with {@code teff.} and ignores others.
     *
     * @throws CacheException if a property is unknown or wrong; the message names it and its range
     */
    static ManagerSettings of(URI uri, Properties properties) {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !KNOWN.contains(name)) {
                throw new CacheException("unknown property " + name + "; there are " + String.join(", ", KNOWN));
            }
        }
        String address = properties.getProperty(STORE, "").strip();
        for (String name : OWN) {
            if (!address.isEmpty() && properties.getProperty(name) != null) {
                throw new CacheException("property " + name + " has no meaning beside " + STORE + "=" + address
                    + ": that store has settings of its own");
            }
        }
        StoreConfig.Builder store = StoreConfig.builder().name("jcache " + uri);
        read(properties, MEMORY_LIMIT, text -> store.memoryLimitBytes(Long.parseLong(text)));
        read(properties, HUGE_PAGES, text -> store.hugePages(isTrue(text)));
        read(properties, DEFRAG, text -> store.defragCpuPercent(Integer.parseInt(text)));
        read(properties, DEBUG, text -> store.debugLevel(DebugLevel.valueOf(text.toUpperCase(Locale.ROOT))));
        long timeoutMs = millis(properties, LOCK_TIMEOUT, LOCK_TIMEOUT_MS_DEFAULT);
        long sweepMs = millis(properties, SWEEP, SWEEP_MS_DEFAULT);
        long timeoutNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        return new ManagerSettings(address, store.lockTimeoutNs(timeoutNs).build(), timeoutNs, sweepMs,
            limit(properties));
    }

    private static CacheLimit limit(Properties properties) {
        if (properties.getProperty(LIMIT_ENTRIES) != null && properties.getProperty(LIMIT_BYTES) != null) {
            throw new CacheException("a cache has one limit: " + LIMIT_ENTRIES + " or " + LIMIT_BYTES);
        }
        return new CacheLimit(positive(properties, LIMIT_ENTRIES), positive(properties, LIMIT_BYTES));
    }

    private static long positive(Properties properties, String name) {
        long[] value = {0};
        read(properties, name, text -> {
            value[0] = Long.parseLong(text);
            if (value[0] < 1) {
                throw new IllegalArgumentException("not above 0");
            }
        });
        return value[0];
    }

    /**
     * Opens the store.
     *
     * @throws CacheException if it cannot be opened
     */
    ChunkStore open() {
        if (address.isEmpty()) {
            return Store.open(store);
        }
        try {
            return ChunkStore.open(address);
        } catch (IllegalArgumentException | StoreException e) {
            throw new CacheException("property " + STORE + "=" + address + ": " + e.getMessage(), e);
        }
    }

    private static boolean isTrue(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return text.equals("true");
    }

    private static long millis(Properties properties, String name, long otherwise) {
        long[] value = {otherwise};
        read(properties, name, text -> {
            value[0] = Long.parseLong(text);
            if (value[0] < 1 || value[0] > MS_MAX) {
                throw new IllegalArgumentException("outside of 1.." + MS_MAX + " milliseconds");
            }
        });
        return value[0];
    }

    private static void read(Properties properties, String name, Consumer<String> setter) {
        @Nullable String text = properties.getProperty(name);
        if (text != null) {
            try {
                setter.accept(text.strip());
            } catch (IllegalArgumentException e) {
                throw new CacheException("property " + name + "=" + text + ": " + e.getMessage(), e);
            }
        }
    }
}
