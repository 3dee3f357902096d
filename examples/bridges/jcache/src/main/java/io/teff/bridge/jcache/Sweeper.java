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
 * The thread that sweeps the caches of a manager. A round gives each cache a part of its sweep, and more as long as
 * that is worth it; then the thread rests. It starts with the first cache.
 */
final class Sweeper implements AutoCloseable {
    private final Supplier<Collection<TeffCache<?, ?>>> caches;
    private final Clock clock;
    private final long restMs;
    private final String name;
    /** Who sweeps. */
    private final ReentrantLock broom = new ReentrantLock();
    private long reclaimedMs;
    private @Nullable ScheduledExecutorService executor;
    private @Nullable ScheduledFuture<?> rounds;

    /**
     * Makes one that does not run yet.
     *
     * @param name of the thread
     * @param caches those that are open
     * @param clock for the rest between two full sweeps
     * @param restMs between two rounds
     */
    Sweeper(String name, Supplier<Collection<TeffCache<?, ?>>> caches, Clock clock, long restMs) {
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
        broom.lock();
        try {
            for (TeffCache<?, ?> cache : caches.get()) {
                round(cache);
            }
        } finally {
            broom.unlock();
        }
    }

    private static void round(TeffCache<?, ?> cache) {
        boolean more = true;
        while (more) {
            more = unlessClosed(cache, () -> cache.sweep().part().isWorthMore(), false);
        }
    }

    /** Does something with a cache that somebody may close meanwhile. */
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
     * Sweeps all caches once, because there is no memory left. Not more often than rounds are, so that a store that is
     * full of what lives does not sweep for each entry that it refuses.
     *
     * @return whether anything was found, or another thread is looking
     */
    boolean reclaim() {
        if (!broom.tryLock()) {
            return true;
        }
        try {
            if (broom.getHoldCount() > 1 || clock.nowMs() - reclaimedMs < restMs) {
                return false;
            }
            reclaimedMs = clock.nowMs();
            int removed = 0;
            for (TeffCache<?, ?> cache : caches.get()) {
                removed += unlessClosed(cache, () -> cache.sweep().all(), 0);
            }
            return removed > 0;
        } finally {
            broom.unlock();
        }
    }

    /** Ends the rounds; does not wait for one that is under way, which meets closed caches. */
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
