package io.teff.engine.cache;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.codec.Codec;
import io.teff.engine.hash.StampedCodec;
import io.teff.engine.hash.StampedMap;
import io.teff.engine.os.Clock;
import io.teff.engine.os.StoreSeams;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link CacheMap}. Not thread-safe; may open several caches.
 *
 * <p>Durations are positive, and rounded up to milliseconds. Durations above 17 years never end.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class CacheBuilder<K, V> {
    private final Codec<K> keys;
    private final Codec<V> values;
    private long writeMs = Deadlines.NONE;
    private long accessMs = Deadlines.NONE;
    private long refreshMs = Deadlines.NONE;
    private boolean isPerEntry;
    private @Nullable Lifetime<? super K, ? super V> lifetime;
    private long entriesMax = Long.MAX_VALUE;
    private long bytesMax = Long.MAX_VALUE;
    private @Nullable RemovalListener<? super K, ? super V> listener;
    private @Nullable Function<? super K, ? extends @Nullable V> loader;
    private @Nullable Executor executor;
    private @Nullable InstantSource clock;
    private boolean isCounting;
    private @Nullable ScheduledExecutorService cleaner;
    private Duration cleanEvery = Duration.ZERO;

    CacheBuilder(Codec<K> keys, Codec<V> values) {
        this.keys = Objects.requireNonNull(keys);
        this.values = Objects.requireNonNull(values);
    }

    private static long positive(Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException("duration=" + duration + " is not positive");
        }
        return Deadlines.millis(duration);
    }

    private static long positive(String what, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(what + "=" + value + " is not positive");
        }
        return value;
    }

    // ---- expiry ----

    /**
     * Lets entries expire after their value was written.
     *
     * @param duration from each write
     * @return this
     */
    public CacheBuilder<K, V> expireAfterWrite(Duration duration) {
        writeMs = positive(duration);
        return this;
    }

    /**
     * Lets entries expire after their last read or write. A read moves the deadline in steps of a 256th of the
     * duration, rounded up, so an entry lives up to a 256th longer, and not each read is a change of the store.
     *
     * @param duration from each read or write
     * @return this
     */
    public CacheBuilder<K, V> expireAfterAccess(Duration duration) {
        accessMs = positive(duration);
        return this;
    }

    /**
     * Lets a function decide on each entry; it replaces {@link #expireAfterWrite} and {@link #expireAfterAccess}.
     *
     * @param decides how long each entry lives
     * @return this
     */
    public CacheBuilder<K, V> expireBy(Lifetime<? super K, ? super V> decides) {
        lifetime = Objects.requireNonNull(decides);
        return this;
    }

    /**
     * Lets entries have deadlines of their own, by {@link CacheMap#put(Object, Object, Duration)} and {@link
     * CacheMap#expireAfter}. Not needed beside another setting of expiry.
     *
     * @return this
     */
    public CacheBuilder<K, V> expirePerEntry() {
        isPerEntry = true;
        return this;
    }

    // ---- limit ----

    /**
     * Limits the number of entries.
     *
     * @param entries at least 1
     * @return this
     */
    public CacheBuilder<K, V> limitEntries(long entries) {
        entriesMax = positive("entries", entries);
        return this;
    }

    /**
     * Limits the memory of the map in the store, as {@link CacheMap#memoryBytes} returns it. An empty map takes some 11
     * KB; a limit that is not much larger keeps few entries.
     *
     * @param bytes at least 1
     * @return this
     */
    public CacheBuilder<K, V> limitBytes(long bytes) {
        bytesMax = positive("bytes", bytes);
        return this;
    }

    // ---- others ----

    /**
     * Sets a listener of removed entries and replaced values.
     *
     * @param heard called after each removal
     * @return this
     */
    public CacheBuilder<K, V> listener(RemovalListener<? super K, ? super V> heard) {
        listener = Objects.requireNonNull(heard);
        return this;
    }

    /**
     * Sets the loader of {@link CacheMap#getOrLoad(Object)} and {@link CacheMap#refresh}.
     *
     * @param loads returns the value of a key, or null if there is none
     * @return this
     */
    public CacheBuilder<K, V> loader(Function<? super K, ? extends @Nullable V> loads) {
        loader = Objects.requireNonNull(loads);
        return this;
    }

    /**
     * Loads a value again when it is read at an age, and returns the old value meanwhile. Needs a loader.
     *
     * @param age since the write of the value
     * @param runs runs the loads; if it refuses one, a later read tries again
     * @return this
     */
    public CacheBuilder<K, V> refreshAfterWrite(Duration age, Executor runs) {
        refreshMs = positive(age);
        executor = Objects.requireNonNull(runs);
        return this;
    }

    /**
     * Sets the time, for tests. By default it is the time of day when the cache is opened, and the monotonic clock
     * since.
     *
     * @param source the time; only its milliseconds are used. It must not go back
     * @return this
     */
    public CacheBuilder<K, V> clock(InstantSource source) {
        clock = Objects.requireNonNull(source);
        return this;
    }

    /**
     * Counts hits, misses, loads and removals.
     *
     * @return this
     */
    public CacheBuilder<K, V> withStatistics() {
        isCounting = true;
        return this;
    }

    /**
     * Cleans the cache regularly, also without writes. Without this setting, an idle cache keeps the memory of entries
     * that have expired.
     *
     * @param pause between the end of a cleaning and the next one
     * @param runs runs {@link CacheMap#cleanUp} until the cache is closed
     * @return this
     */
    public CacheBuilder<K, V> cleanEvery(Duration pause, ScheduledExecutorService runs) {
        positive(pause);
        cleanEvery = pause;
        cleaner = Objects.requireNonNull(runs);
        return this;
    }

    /**
     * Opens the cache with a name; creates an empty one if there is none. The settings may differ each time, except
     * whether entries have a deadline and a time of their write: entries have a deadline with any setting of expiry,
     * and the time of their write with {@link #refreshAfterWrite}, or with {@link #expireAfterWrite} and {@link
     * #expireAfterAccess} together.
     *
     * @param store a {@link Store}, in memory or the store of a durable store
     * @param name name of the map in the store
     * @return the cache, which the caller closes
     * @throws IllegalArgumentException if the name belongs to something else, or to a cache of other codecs or with
     *     other times; if the store is in other processes; or if refreshing has no loader
     * @throws IllegalStateException if the cache is open already
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit is reached
     */
    public CacheMap<K, V> open(ChunkStore store, String name) {
        if (refreshMs != Deadlines.NONE && loader == null) {
            throw new IllegalArgumentException("refreshAfterWrite needs a loader");
        }
        Deadlines<K, V> deadlines = new Deadlines<>(writeMs, accessMs, refreshMs, isPerEntry, lifetime);
        StampedCodec<V> codec = new StampedCodec<>(values, deadlines.stamps());
        StampedMap<K, V> entries = StampedMap.over(store.map(name, keys, codec), codec);
        Clock system = store instanceof Store own ? StoreSeams.of(own.config()).platform().clock() : Clock.SYSTEM;
        StoreCache<K, V> cache = new StoreCache<>(entries, new CacheSettings<>(deadlines, entriesMax, bytesMax,
            listener, loader, executor, clock, isCounting, cleaner, cleanEvery), system);
        cache.begin();
        return cache;
    }
}
