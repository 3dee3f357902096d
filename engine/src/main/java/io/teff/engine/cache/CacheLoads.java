package io.teff.engine.cache;

import io.teff.engine.os.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Loads and refreshes of a cache. Thread-safe. */
final class CacheLoads<K, V> {
    private static final Logger LOGGER = System.getLogger("io.teff.engine.cache");

    /** Stores the result of a load, unless the load is outdated. */
    interface Storing<K, V> {
        void store(K key, @Nullable V value, Loads.Load<V> load);
    }

    private final @Nullable Function<? super K, ? extends @Nullable V> loader;
    private final @Nullable Executor executor;
    private final CacheCounters counters;
    private final Clock clock;
    private final Loads<V> running = new Loads<>();

    CacheLoads(CacheSettings<K, V> settings, CacheCounters counters, Clock clock) {
        loader = settings.loader();
        executor = settings.executor();
        this.counters = counters;
        this.clock = clock;
    }

    Function<? super K, ? extends @Nullable V> loader() {
        Function<? super K, ? extends @Nullable V> loads = loader;
        if (loads == null) {
            throw new IllegalStateException("the settings of this cache have no loader");
        }
        return loads;
    }

    // ---- changes by others ----

    /** Returns whether no load runs. */
    boolean isIdle() {
        return running.isEmpty();
    }

    /** Notes a change of an entry, under the writer lock of its key. */
    void outdate(byte[] key) {
        running.outdate(key);
    }

    /** Notes that all entries go. */
    void outdateAll() {
        running.outdateAll();
    }

    // ---- loads ----

    /**
     * Loads a value, or waits for the load of the key that runs.
     *
     * @param name the encoded key
     * @param loads the loader
     * @param present looks whether the value is there after all
     * @param storing stores the value
     */
    @Nullable V load(K key, byte[] name, Function<? super K, ? extends @Nullable V> loads,
                     Function<K, @Nullable V> present, Storing<K, V> storing) {
        Loads.Load<V> own = Loads.make();
        own.runBy(Thread.currentThread());
        Loads.Load<V> first = running.begin(name, own);
        if (first != own) {
            return first.await();
        }
        try {
            V value = present.apply(key);                       // another load may have ended just now
            if (value == null) {
                value = run(key, loads);
                if (value != null) {
                    storing.store(key, value, own);
                }
            }
            running.end(name, own);
            own.complete(value);
            return value;
        } catch (Throwable e) {
            running.end(name, own);
            own.completeExceptionally(e);
            throw e;
        }
    }

    private @Nullable V run(K key, Function<? super K, ? extends @Nullable V> loads) {
        long startNs = clock.nowNs();
        boolean isDone = false;
        try {
            V value = loads.apply(key);
            isDone = value != null;
            return value;
        } finally {
            counters.loaded(isDone, clock.nowNs() - startNs);
        }
    }

    // ---- refreshes ----

    /** Loads a value again; returns the load of the key that runs. */
    CompletableFuture<@Nullable V> refresh(K key, byte[] name, Storing<K, V> storing) {
        Function<? super K, ? extends @Nullable V> loads = loader();
        Loads.Load<V> own = Loads.make();
        Loads.Load<V> first = running.begin(name, own);
        if (first == own) {
            Executor runs = executor;
            if (runs == null) {
                refresh(key, name, own, loads, storing);
            } else {
                try {
                    runs.execute(() -> refresh(key, name, own, loads, storing));
                } catch (RejectedExecutionException e) {
                    running.end(name, own);
                    own.completeExceptionally(e);
                }
            }
        }
        return first.copy();
    }

    private void refresh(K key, byte[] name, Loads.Load<V> own, Function<? super K, ? extends @Nullable V> loads,
                         Storing<K, V> storing) {
        own.runBy(Thread.currentThread());
        try {
            V value = run(key, loads);
            storing.store(key, value, own);
            running.end(name, own);
            own.complete(value);
        } catch (Throwable e) {                                 // reaches whoever waits for the load
            running.end(name, own);
            own.completeExceptionally(e);
            if (e instanceof Error error) {
                throw error;
            }
        }
    }

    /** Begins a refresh because a read has seen an old value. A failure is logged; a later read tries again. */
    void refreshOld(K key, byte[] name, Storing<K, V> storing) {
        if (!running.isRunning(name)) {
            var _ = refresh(key, name, storing).whenComplete((_, failure) -> {
                if (failure != null) {
                    LOGGER.log(Level.WARNING, "the refresh of an entry of a cache has failed", failure);
                }
            });
        }
    }
}
