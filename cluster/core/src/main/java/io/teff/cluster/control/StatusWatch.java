package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Looks at the tables ten times a second, on a thread of its own. Thread-safe. */
final class StatusWatch implements ClusterAdmin.Watch {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ClusterReader reader;
    private final Consumer<ClusterEvent> listener;
    private final Clock clock;
    private final Thread thread;
    private volatile boolean isClosed;

    private StatusWatch(ClusterReader reader, Clock clock, Threads threads, Consumer<ClusterEvent> listener) {
        this.clock = clock;
        this.reader = reader;
        this.listener = listener;
        thread = threads.create("teff-watch", this::run);
    }

    /** Begins to watch. */
    static StatusWatch start(ClusterReader reader, Clock clock, Threads threads, Consumer<ClusterEvent> listener) {
        StatusWatch watch = new StatusWatch(reader, clock, threads, listener);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    private void run() {
        ClusterStatus before = reader.tables();
        while (!isClosed) {
            clock.park(this, LOOK_NS);
            ClusterStatus after = reader.tables();
            for (ClusterEvent event : StatusChanges.between(before, after)) {
                if (!isClosed) {
                    listener.accept(event);
                }
            }
            before = after;
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Ends the watch. A listener may end the own watch: then the watch ends after the event under way. */
    @Override
    public void close() {
        isClosed = true;
        if (!Thread.currentThread().equals(thread)) {
            Threads.join(thread);
        }
    }
}
