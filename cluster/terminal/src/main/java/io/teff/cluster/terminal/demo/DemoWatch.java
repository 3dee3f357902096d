package io.teff.cluster.terminal.demo;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.demo.DemoResult.Sample;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the tables and at the updates during the demo, by a thread of its own, and shows each step of the recovery
 * at once. All fields are guarded by {@code this}.
 */
final class DemoWatch implements AutoCloseable {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int SHOWN_EACH = 4;
    private static final String BARS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final int BARS_SHOWN = 40;
    private static final double SECOND = 1e9;

    private final ClusterAdmin admin;
    private final LongSupplier updates;
    private final LiveLine line;
    private final List<Sample> samples = new ArrayList<>();
    private final List<Timeline.Step> shown = new ArrayList<>();
    private final Thread thread;
    private @Nullable Timeline timeline;
    private long killedNs;
    private boolean isClosed;

    /**
     * Begins to look.
     *
     * @param admin reads the tables
     * @param updates number of updates so far
     * @param line shows steps and progress
     */
    DemoWatch(ClusterAdmin admin, LongSupplier updates, LiveLine line) {
        this.admin = admin;
        this.updates = updates;
        this.line = line;
        thread = Threads.SYSTEM.create("demo-watch", this::run);
        thread.start();
    }

    /** Notes the kill of a node. */
    synchronized void killed(NodeLife life, ClusterStatus before, long nowNs) {
        killedNs = nowNs;
        timeline = new Timeline(life, before, nowNs);
    }

    private void run() {
        long sampledNs = 0;
        while (!isClosed()) {
            ClusterStatus status = isLooking() ? admin.tables() : null;
            long now = Clock.SYSTEM.nowNs();
            if (status != null && status.isAnswering()) {
                look(status, now);
            }
            if (now - sampledNs >= SAMPLE_NS) {
                sampledNs = now;
                sample(now);
            }
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    private synchronized boolean isLooking() {
        return timeline != null && !timeline.isRefilled();
    }

    private synchronized void look(ClusterStatus status, long nowNs) {
        Timeline known = timeline;
        if (known == null) {
            return;
        }
        known.look(status, nowNs);
        for (Timeline.Step step : known.steps()) {
            if (step.ns() >= 0 && !shown.contains(step)) {
                shown.add(step);
                line.print(String.format(Locale.ROOT, "  %-18s %7.0f ms after the kill  (%d of %d zones served)",
                    step.name(), step.ns() / 1e6, known.served(), known.zones()));
            }
        }
    }

    private synchronized void sample(long nowNs) {
        samples.add(new Sample(nowNs, updates.getAsLong()));
        if (samples.size() % SHOWN_EACH == 0) {
            line.show(progress(nowNs));
        }
    }

    private String progress(long nowNs) {
        StringBuilder bars = new StringBuilder();
        double most = 1;
        for (int i = 1; i < samples.size(); i++) {
            most = Math.max(most, rate(i));
        }
        for (int i = Math.max(samples.size() - BARS_SHOWN, 1); i < samples.size(); i++) {
            bars.append(BARS.charAt((int) Math.ceil(rate(i) / most * (BARS.length() - 1))));
        }
        Timeline known = timeline;
        String state = known == null ? "before the kill" : String.format(Locale.ROOT, "%+.1f s, %d of %d zones served",
            (nowNs - killedNs) / SECOND, known.served(), known.zones());
        return String.format(Locale.ROOT, "  %,8.0f updates/s  %s  %s", samples.size() < 2 ? 0.0
            : rate(samples.size() - 1), bars, state);
    }

    private double rate(int i) {
        Sample now = samples.get(i);
        Sample before = samples.get(i - 1);
        return (now.updates() - before.updates()) / Math.max((now.ns() - before.ns()) / SECOND, 1e-9);
    }

    /** Waits for a condition of the timeline; returns whether the condition holds. */
    boolean await(Predicate<Timeline> condition, long patienceNs) {
        long end = Clock.SYSTEM.nowNs() + patienceNs;
        while (!read(condition::test)) {
            if (Clock.SYSTEM.nowNs() - end > 0) {
                return false;
            }
            Clock.SYSTEM.pause(condition, LOOK_NS);
        }
        return true;
    }

    /** Reads the timeline. */
    synchronized <T> T read(Function<Timeline, T> reader) {
        if (timeline == null) {
            throw new IllegalStateException("nothing was killed");
        }
        return reader.apply(timeline);
    }

    /** Returns the samples, from the kill on; when this is closed. */
    synchronized List<Sample> samples() {
        return samples.stream().map(sample -> new Sample(sample.ns() - killedNs, sample.updates())).toList();
    }

    /** Ends the thread. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        Threads.join(thread);
        line.show("");
    }
}
