package io.teff.cluster.terminal.demo;

import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/** The threads of the demo's client, each with a part of the chunks of its own. */
final class DemoUpdates {
    private final DemoChunks chunks;
    private final int threads;
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Thread> writers = new ArrayList<>();
    private volatile boolean isOver;

    DemoUpdates(DemoChunks chunks, int threads) {
        this.chunks = chunks;
        this.threads = threads;
    }

    /** Returns the number of acknowledged updates. */
    long count() {
        return updates.get();
    }

    /** Returns the longest time of an update. */
    long longestNs() {
        return longestNs.get();
    }

    /** Returns whether a thread has failed. */
    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Throws the failure of a thread. */
    void check() {
        Throwable found = failure.get();
        if (found != null) {
            throw new CommandFailure("the client has failed: " + FailureText.of(found), found);
        }
    }

    /** Runs a task on parts of the chunks, a thread for each; returns the sum of the results. */
    int inParallel(String name, IntBinaryOperator task) {
        AtomicInteger sum = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int from = (int) ((long) chunks.count() * i / threads);
            int to = (int) ((long) chunks.count() * (i + 1) / threads);
            all.add(Threads.SYSTEM.create("demo-" + name + "-" + i, () -> guarded(
                () -> sum.addAndGet(task.applyAsInt(from, to)))));
        }
        all.forEach(Thread::start);
        all.forEach(Threads::join);
        check();
        return sum.get();
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Begins to update chunks at random, until {@link #end}. */
    void begin() {
        for (int i = 0; i < threads; i++) {
            int own = i;
            Thread writer = Threads.SYSTEM.create("demo-update-" + i, () -> guarded(() -> update(own)));
            writer.start();
            writers.add(writer);
        }
    }

    private void update(int own) {
        byte[] buffer = new byte[DemoChunks.BYTES];
        int size = chunks.count() / threads;
        while (!isOver) {
            long begun = Clock.SYSTEM.nowNs();
            chunks.update(own * size + Chance.SYSTEM.nextInt(size), buffer);
            longestNs.accumulateAndGet(Clock.SYSTEM.nowNs() - begun, Math::max);
            updates.incrementAndGet();
        }
    }

    /** Ends the updates. */
    void end() {
        isOver = true;
        writers.forEach(Threads::join);
        check();
    }
}
