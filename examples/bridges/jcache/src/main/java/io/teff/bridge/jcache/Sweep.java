package io.teff.bridge.jcache;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a cache again and again, a bounded part at a time, and removes what has expired: so the memory of
 * entries comes back that nobody asks for again. An entry whose stripe is taken stays until the next time. What a
 * listener throws goes to the thread's handler of uncaught exceptions.
 *
 * <p>One thread at a time.
 */
final class Sweep {
    /** Entries that a part looks at: some milliseconds. */
    static final int ENTRIES_PER_PART = 10_000;
    /** Bytes that a part looks at; entries are copied to look at them, so those of large values count for more. */
    static final long BYTES_PER_PART = 16L << 20;
    /** If more than one of so many has expired, the next part follows at once. */
    private static final int WORTH_MORE = 4;

    private final CacheCore<?, ?> core;
    private @Nullable Iterator<Map.Entry<byte[], byte[]>> place;

    Sweep(CacheCore<?, ?> core) {
        this.core = core;
    }

    /**
     * What a part has seen.
     *
     * @param seen entries
     * @param removed those of them that had expired
     * @param isEnd whether it came to the end of the cache
     */
    record Part(int seen, int removed, boolean isEnd) {
        /** Much has expired, so there may be more: from the front again, if this was the end. */
        boolean isWorthMore() {
            return removed > seen / WORTH_MORE;
        }
    }

    /** Looks at the next part; begins at the front after the end. */
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

    /** Looks at all entries once; how many have gone. */
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
        HeldEntry<?, ?> held = HeldEntry.ifFree(core, key);
        if (held == null) {
            return false;
        }
        boolean gone = !held.exists();
        try {
            held.close();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();             // a listener has thrown: no operation is there to do so
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
        return gone;
    }
}
