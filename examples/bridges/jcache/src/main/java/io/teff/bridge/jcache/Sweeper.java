package io.teff.bridge.jcache;

import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread that removes expired entries from the caches of a manager. A round sweeps a part of each cache, and
 * further parts while many entries have expired; then the thread sleeps. It starts with the first cache.
 */
final class Sweeper implements AutoCloseable {
    private final Supplier<Collection<TeffCache<?, ?>>> caches;
    private final ExpiryClock clock;
    private final long restMs;
    private final String name;
    /** Held by the sweeping thread. */
    private final ReentrantLock sweeping = new ReentrantLock();
    private long reclaimedMs;
    private @Nullable ScheduledExecutorService executor;
    private @Nullable ScheduledFuture<?> rounds;

    /**
     * Creates a sweeper whose thread does not run yet.
     *
     * @param name name of the thread
     * @param caches supplies the open caches
     * @param clock measures the time between two reclaims
     * @param restMs milliseconds between two rounds
     */
    Sweeper(String name, Supplier<Collection<TeffCache<?, ?>>> caches, ExpiryClock clock, long restMs) {
        this.name = name;
        this.caches = caches;
        this.clock = clock;
        this.restMs = restMs;
        reclaimedMs = clock.nowMs() - restMs;
    }

    synchronized void start() {
        if (executor == null) {
            ScheduledExecutorService made = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon()
                .name(name).factory());
            rounds = made.scheduleWithFixedDelay(this::round, restMs, restMs, TimeUnit.MILLISECONDS);
            executor = made;
        }
    }

    /** Sweeps a part of each cache. */
    void round() {
        sweeping.lock();
        try {
            for (TeffCache<?, ?> cache : caches.get()) {
                round(cache);
            }
        } finally {
            sweeping.unlock();
        }
    }

    private static void round(TeffCache<?, ?> cache) {
        boolean more = true;
        while (more) {
            more = unlessClosed(cache, () -> cache.sweep().part().isWorthMore(), false);
        }
    }

    /** Runs an operation on a cache; returns {@code otherwise} if another thread closes the cache. */
    private static <T> T unlessClosed(TeffCache<?, ?> cache, Supplier<T> work, T otherwise) {
        try {
            return work.get();
        } catch (IllegalStateException e) {
            if (!cache.isClosed()) {
                throw e;
            }
            return otherwise;
        }
    }

    /**
     * Sweeps all caches once, because memory is used up. At most once per time between rounds, so that a store full of
     * live entries does not sweep for each entry that it refuses.
     *
     * @return whether an entry was removed, or another thread is sweeping
     */
    boolean reclaim() {
        if (!sweeping.tryLock()) {
            return true;
        }
        try {
            if (sweeping.getHoldCount() > 1 || clock.nowMs() - reclaimedMs < restMs) {
                return false;
            }
            reclaimedMs = clock.nowMs();
            int removed = 0;
            for (TeffCache<?, ?> cache : caches.get()) {
                removed += unlessClosed(cache, () -> cache.sweep().all(), 0);
            }
            return removed > 0;
        } finally {
            sweeping.unlock();
        }
    }

    /** Ends the rounds; does not wait for the current one, which finds closed caches. */
    @Override
    public synchronized void close() {
        if (rounds != null) {
            rounds.cancel(false);
        }
        if (executor != null) {
            executor.shutdown();
        }
    }
}
