package io.teff.bridge.jcache;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Visits the entries of a cache repeatedly, a bounded part at a time, and removes expired ones; so the memory of
 * expired entries is freed even if their keys are never used again. An entry whose stripe is held is skipped until the
 * next sweep. Exceptions of a listener are passed to the thread's handler of uncaught exceptions.
 *
 * <p>One thread at a time.
 */
final class Sweep {
    /** Maximum number of entries per part, which take some milliseconds. */
    static final int ENTRIES_PER_PART = 10_000;
    /** Maximum number of bytes per part; entries are copied to be read, so large values cost more. */
    static final long BYTES_PER_PART = 16L << 20;
    /** The next part follows at once if more than one in this number of entries had expired. */
    private static final int WORTH_MORE = 4;

    private final CacheCore<?, ?> core;
    private @Nullable Iterator<Map.Entry<byte[], byte[]>> place;

    Sweep(CacheCore<?, ?> core) {
        this.core = core;
    }

    /**
     * The result of a part.
     *
     * @param seen number of entries read
     * @param removed number of expired entries removed
     * @param isEnd whether the part reached the end of the cache
     */
    record Part(int seen, int removed, boolean isEnd) {
        /** Returns whether many entries had expired, so that another part is worthwhile. */
        boolean isWorthMore() {
            return removed > seen / WORTH_MORE;
        }
    }

    /** Sweeps the next part; the part after the last one is the first. */
    Part part() {
        if (!core.expires()) {
            return new Part(0, 0, true);
        }
        Iterator<Map.Entry<byte[], byte[]>> entries = place != null ? place : core.table.iterator();
        place = entries;
        int seen = 0;
        int removed = 0;
        long bytes = 0;
        while (entries.hasNext()) {
            if (seen >= ENTRIES_PER_PART || bytes >= BYTES_PER_PART) {
                return new Part(seen, removed, false);
            }
            Map.Entry<byte[], byte[]> entry = entries.next();
            seen++;
            bytes += entry.getKey().length + entry.getValue().length;
            if (core.expiry.isExpired(entry.getValue()) && isRemoved(entry.getKey())) {
                removed++;
            }
        }
        place = null;
        return new Part(seen, removed, true);
    }

    /** Sweeps all entries once; returns the number removed. */
    int all() {
        place = null;
        int removed = 0;
        for (;;) {
            Part part = part();
            removed += part.removed;
            if (part.isEnd) {
                return removed;
            }
        }
    }

    private boolean isRemoved(byte[] key) {
        LockedEntry<?, ?> held = LockedEntry.ifFree(core, key);
        if (held == null) {
            return false;
        }
        boolean gone = !held.exists();
        try {
            held.close();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();             // of a listener; no operation can throw it
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
        return gone;
    }
}
