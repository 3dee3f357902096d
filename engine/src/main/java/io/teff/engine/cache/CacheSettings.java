package io.teff.engine.cache;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a cache.
 *
 * @param deadlines when entries expire
 * @param entriesMax the limit of entries, or {@link Long#MAX_VALUE}
 * @param bytesMax the limit of memory, or {@link Long#MAX_VALUE}
 * @param listener receives removed entries, or null
 * @param loader loads absent values, or null
 * @param executor runs refreshes, or null
 * @param clock the time, or null for the time of the store
 * @param isCounting whether statistics are kept
 * @param cleaner runs the cleaning of an idle cache, or null
 * @param cleanEvery pause between two cleanings
 * @param <K> type of the keys
 * @param <V> type of the values
 */
record CacheSettings<K, V>(Deadlines<K, V> deadlines, long entriesMax, long bytesMax,
                           @Nullable RemovalListener<? super K, ? super V> listener,
                           @Nullable Function<? super K, ? extends @Nullable V> loader, @Nullable Executor executor,
                           @Nullable InstantSource clock, boolean isCounting,
                           @Nullable ScheduledExecutorService cleaner, Duration cleanEvery) {
    /** Memory of an entry by which the tables of a limit of bytes are sized. */
    private static final long ENTRY_BYTES = 64;

    boolean isLimited() {
        return entriesMax != Long.MAX_VALUE || bytesMax != Long.MAX_VALUE;
    }

    /** Returns the number of entries for which the policy has room. */
    long expectedEntries() {
        return Math.max(1, Math.min(entriesMax, bytesMax / ENTRY_BYTES));
    }
}
