package io.teff.cluster.figure;

import io.teff.cluster.admin.FigureHistory.Span;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.FiguresAnswer;
import io.teff.cluster.message.FiguresRequest;
import io.teff.cluster.message.LinesAnswer;
import io.teff.cluster.message.LinesRequest;
import io.teff.cluster.message.RestartAnswer;
import io.teff.cluster.message.RestartRequest;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the figures of a node: each ten seconds for an hour, and each five minutes for a day. A thread of its own
 * collects. Questions about now collect at most once a second, however many ask. Thread-safe.
 */
public final class FigureKeeper implements NodeReports, AutoCloseable {
    /** Most lines of the log in an answer. */
    static final int LINES_MAX = 256;
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);

    /** The action that ends the process. */
    private record Restart(long process, Runnable action) {}

    private final Consumer<NodeFigures.Builder> source;
    private final NodeLog log;
    private final Supplier<String> access;
    private final Clock clock;
    private final FigureRing hour = new FigureRing(Span.HOUR.count());
    private final FigureRing day = new FigureRing(Span.DAY.count());
    private final Thread thread;
    private long collections;
    private @Nullable NodeFigures last;
    private volatile @Nullable Restart restart;
    private long lastNs;
    private volatile boolean isClosed;

    /**
     * Makes a keeper that has not begun to collect.
     *
     * @param source adds the figures of now; called by one thread at a time
     * @param log the node's log
     * @param platform clock and threads
     */
    public FigureKeeper(Consumer<NodeFigures.Builder> source, NodeLog log, Platform platform) {
        this(source, log, platform, () -> "");
    }

    /**
     * Makes a keeper of a node with roles.
     *
     * @param source adds the figures of now; called by one thread at a time
     * @param log the node's log
     * @param platform clock and threads
     * @param access returns the state of roles and secret, for people
     */
    public FigureKeeper(Consumer<NodeFigures.Builder> source, NodeLog log, Platform platform,
                        Supplier<String> access) {
        this.access = access;
        this.source = source;
        this.log = log;
        clock = platform.clock();
        thread = platform.threads().create("teff-figures", this::run);
    }

    /** Begins to collect. */
    public void start() {
        thread.start();
    }

    private void run() {
        final long beginNs = clock.nowNs();
        final long periodNs = TimeUnit.MILLISECONDS.toNanos(Span.HOUR.periodMs());
        long count = 0;
        while (!isClosed) {
            final long leftNs = beginNs + count * periodNs - clock.nowNs();
            if (leftNs > 0) {
                Threads.rest(this, leftNs);
            } else {
                keep();
                count = Math.max(count, -leftNs / periodNs) + 1;    // a suspended machine misses moments
            }
        }
    }

    /** Collects figures for the rings. */
    synchronized void keep() {
        try {
            final NodeFigures figures = collect();
            hour.add(figures);
            if (collections++ % (Span.DAY.periodMs() / Span.HOUR.periodMs()) == 0) {
                day.add(figures);
            }
        } catch (RuntimeException e) {                          // the next collection may succeed
            log.fault("collecting figures", e);
        }
    }

    private NodeFigures collect() {
        final NodeFigures.Builder builder = new NodeFigures.Builder();
        source.accept(builder);
        final NodeFigures figures = builder.build(clock.epochMs());
        last = figures;
        lastNs = clock.nowNs();
        return figures;
    }

    /** {@return figures that are at most a second old} */
    public synchronized NodeFigures now() {
        final NodeFigures known = last;
        return known == null || clock.nowNs() - lastNs > FRESH_NS ? collect() : known;
    }

    @Override
    public FiguresAnswer figures(FiguresRequest request) {
        final int span = request.span();
        final List<NodeFigures> moments = span == Span.HOUR.ordinal() ? hour.moments()
            : span == Span.DAY.ordinal() ? day.moments() : List.of(now());
        return FiguresAnswer.of(clock.epochMs(), moments);
    }

    @Override
    public LinesAnswer lines(LinesRequest request) {
        return new LinesAnswer(log.lines(Math.clamp(request.lines(), 0, LINES_MAX)));
    }

    /**
     * Sets what ends the process, whose manager starts the process again. Without an action the node refuses the order.
     *
     * @param process number of this process
     * @param action asks for the end of the process, and returns at once
     */
    public void onRestart(long process, Runnable action) {
        restart = new Restart(process, action);
    }

    @Override
    public RestartAnswer restart(RestartRequest request) {
        final Restart known = restart;
        if (known == null) {
            return new RestartAnswer("nothing starts the process of this node again after its end: it runs without "
                + "--managed");
        }
        if (known.process != request.process()) {
            return new RestartAnswer("process " + request.process() + " has ended; process " + known.process
                + " runs now");
        }
        known.action.run();
        return new RestartAnswer("");
    }

    @Override
    public String access() {
        return access.get();
    }

    /** Ends the collection. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
