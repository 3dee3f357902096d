package io.teff.test.bench.kill;

import io.teff.cluster.ClusterStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The load beside a kill: threads of a client update and read chunks at a fixed rate. Only chunks whose number belongs
 * to a thread are updated by it. Used once.
 */
final class KillTraffic {
    private static final long READ_NS_MAX = TimeUnit.MINUTES.toNanos(5);
    private static final int DIGITS = 3;

    private final ClusterStore store;
    private final KillChunks chunks;
    private final int threads;
    private final int rate;
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();
    /** When the last call of any thread has ended. */
    private final AtomicLong endedNs = new AtomicLong();
    private final AtomicLong gapNs = new AtomicLong();
    /** Times of reads, in nanoseconds. */
    private volatile ConcurrentHistogram reads = newReads();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> running = new ArrayList<>();
    private volatile boolean isOver;

    /**
     * Prepares a load.
     *
     * @param store the client
     * @param chunks the chunks
     * @param threads number of threads
     * @param rate calls per second of all of them
     */
    KillTraffic(ClusterStore store, KillChunks chunks, int threads, int rate) {
        this.store = store;
        this.chunks = chunks;
        this.threads = threads;
        this.rate = rate;
    }

    void start() {
        endedNs.set(System.nanoTime());
        for (int i = 0; i < threads; i++) {
            int own = i;
            start("kill-load-" + i, () -> load(own));
        }
    }

    /** Starts a thread whose failure is that of the load, and which the load does not wait for. */
    Thread start(String name, Runnable task) {
        Thread thread = Thread.ofPlatform().name(name).start(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            }
        });
        running.add(thread);
        return thread;
    }

    private void load(int own) {
        SplittableRandom random = new SplittableRandom(own);
        byte[] buffer = new byte[chunks.bytes()];
        long intervalNs = TimeUnit.SECONDS.toNanos(1) * threads / rate;
        long due = System.nanoTime();
        int mine = chunks.count() / threads;
        while (!isOver) {
            due = Math.max(due + intervalNs, System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            int number = random.nextInt(mine) * threads + own;
            long begun = System.nanoTime();
            final boolean isUpdate = random.nextBoolean();
            if (isUpdate) {
                chunks.update(number, buffer);
                updates.incrementAndGet();
            } else {
                chunks.read(store, number);
            }
            final long ended = System.nanoTime();
            calls.incrementAndGet();
            if (!isUpdate) {
                reads.recordValue(Math.min(ended - begun, READ_NS_MAX));
            }
            longestNs.accumulateAndGet(ended - begun, Math::max);
            gapNs.accumulateAndGet(ended - endedNs.getAndSet(ended), Math::max);
        }
    }

    private static ConcurrentHistogram newReads() {
        return new ConcurrentHistogram(READ_NS_MAX, DIGITS);
    }

    /** Returns the times of reads since the last call of this method; a read that ends now may be missing. */
    Histogram takeReads() {
        Histogram taken = reads;
        reads = newReads();
        return taken;
    }

    /** Begins to look for the longest gap and the longest call. */
    void forget() {
        endedNs.set(System.nanoTime());
        gapNs.set(0);
        longestNs.set(0);
    }

    /** Returns the number of updates that were acknowledged. */
    long updates() {
        return updates.get();
    }

    /** Returns the number of calls that have ended. */
    long calls() {
        return calls.get();
    }

    /** Returns the longest call, in nanoseconds. */
    long longestNs() {
        return longestNs.get();
    }

    /** Returns the longest time in which no call has ended, in nanoseconds; also that which lasts now. */
    long gapNs() {
        return Math.max(gapNs.get(), System.nanoTime() - endedNs.get());
    }

    void check() throws IOException {
        Throwable found = failure.get();
        if (found != null) {
            throw new IOException("a client has failed: " + found, found);
        }
    }

    /** Lets the threads end. */
    void over() {
        isOver = true;
    }

    boolean isOver() {
        return isOver;
    }

    /** Waits for the end of all threads. */
    void join() throws InterruptedException {
        for (Thread thread : running) {
            thread.join();
        }
    }
}
