package io.teff.cluster.terminal.demo;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.cluster.terminal.watch.CellLink;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The course of the demo: create chunks, update them by several threads, kill a peer meanwhile, wait until its zones
 * are served again, verify all chunks. Used once.
 */
final class DemoRun {
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long AFTER_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final DemoChunks chunks;
    private final CellLink link;
    private final int threads;
    private final Consumer<String> reports;
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Sample> samples = new ArrayList<>();
    private volatile boolean isOver;

    /**
     * Updates until a moment.
     *
     * @param ns nanoseconds after the kill; negative before it
     * @param updates number of acknowledged updates until then
     */
    record Sample(long ns, long updates) {}

    /**
     * What has happened.
     *
     * @param timeline steps of the recovery
     * @param samples progress of the updates
     * @param updates number of acknowledged updates
     * @param longestNs the longest update
     * @param wrong number of chunks that differ from what was acknowledged
     */
    record Outcome(Timeline timeline, List<Sample> samples, long updates, long longestNs, int wrong) {}

    DemoRun(DemoChunks chunks, CellLink link, int threads, Consumer<String> reports) {
        this.chunks = chunks;
        this.link = link;
        this.threads = threads;
        this.reports = reports;
    }

    Outcome run(LocalNode victim) {
        long begun = Clock.SYSTEM.nowNs();
        inParallel("create", (from, to) -> {
            chunks.create(from, to);
            return 0;
        });
        reports.accept(String.format("created %,d chunks of %d B in %.1f s", chunks.count(), DemoChunks.BYTES,
            (Clock.SYSTEM.nowNs() - begun) / 1e9));
        List<Thread> writers = startWriters();
        Timeline timeline = kill(victim);
        isOver = true;
        writers.forEach(Threads::join);
        check();
        int wrong = inParallel("verify", chunks::verify);
        return new Outcome(timeline, samples, updates.get(), longestNs.get(), wrong);
    }

    /** Runs a task on parts of the chunks, a thread for each; returns the sum of the results. */
    private int inParallel(String name, IntBinaryOperator task) {
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

    private void check() {
        Throwable found = failure.get();
        if (found != null) {
            throw new CommandFailure("the client has failed: " + FailureText.of(found), found);
        }
    }

    private List<Thread> startWriters() {
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int own = i;
            Thread writer = Threads.SYSTEM.create("demo-update-" + i, () -> guarded(() -> update(own)));
            writer.start();
            writers.add(writer);
        }
        return writers;
    }

    /** Updates chunks of this thread's part at random. */
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

    /** Kills a peer in the middle of the updates, and looks until all of its zones are served again. */
    private Timeline kill(LocalNode victim) {
        List<Sample> before = new ArrayList<>();
        long begun = Clock.SYSTEM.nowNs();
        while (Clock.SYSTEM.nowNs() - begun < BEFORE_NS && failure.get() == null) {
            before.add(new Sample(Clock.SYSTEM.nowNs(), updates.get()));
            Clock.SYSTEM.pause(this, SAMPLE_NS);
        }
        ProcessId process = victim.process();
        NodeRef life = victim.life();
        if (process == null || life == null || !link.refresh()) {
            throw new CommandFailure(victim.name() + " does not run");
        }
        process.handle().ifPresent(ProcessHandle::destroyForcibly);
        long killedNs = Clock.SYSTEM.nowNs();
        before.forEach(sample -> samples.add(new Sample(sample.ns() - killedNs, sample.updates())));
        Timeline timeline = new Timeline(life, link.tables(), killedNs);
        reports.accept("killed " + victim.name() + ", " + process + ", owner of " + timeline.zones() + " zones");
        long end = killedNs + PATIENCE_NS;
        long sampledNs = killedNs;
        long servedNs = Long.MAX_VALUE;
        List<Timeline.Step> shown = new ArrayList<>();
        while (Clock.SYSTEM.nowNs() < end && Clock.SYSTEM.nowNs() - servedNs < AFTER_NS && failure.get() == null) {
            if (!timeline.isOver() && link.refresh()) {
                timeline.look(link.tables(), Clock.SYSTEM.nowNs());
                show(timeline, shown);
            }
            long now = Clock.SYSTEM.nowNs();
            servedNs = servedNs == Long.MAX_VALUE && timeline.isOver() ? now : servedNs;
            if (now - sampledNs >= SAMPLE_NS) {
                samples.add(new Sample(now - killedNs, updates.get()));
                sampledNs = now;
            }
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
        return timeline;
    }

    private void show(Timeline timeline, List<Timeline.Step> shown) {
        for (Timeline.Step step : timeline.steps()) {
            if (step.ns() >= 0 && !shown.contains(step)) {
                shown.add(step);
                reports.accept(String.format("  %-18s %7.0f ms after the kill  (%d of %d zones served)", step.name(),
                    step.ns() / 1e6, timeline.served(), timeline.zones()));
            }
        }
    }
}
