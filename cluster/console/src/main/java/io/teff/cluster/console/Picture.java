package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeStatus;
import io.teff.engine.os.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last look at the cluster, and the changes since the console was started. However many browsers ask, one thread at
 * a time looks at the cluster, and at most every two seconds. Thread-safe.
 */
final class Picture implements AutoCloseable {
    static final long AGE_NS = TimeUnit.SECONDS.toNanos(2);

    private final ClusterAdmin admin;
    private final Clock clock;
    private final RecoveryTimeline timeline = new RecoveryTimeline();
    /** Last known names of nodes by their NIDs; there are at most as many NIDs as nodes that ever were. */
    private final Map<Integer, String> names = new HashMap<>();
    private @Nullable ClusterLook last;
    private long lastNs;
    private ClusterAdmin.@Nullable Watch watch;
    private boolean isClosed;
    private volatile Consumer<RecoveryTimeline.Change> steps = _ -> { };

    Picture(ConsoleSetup setup) {
        admin = setup.admin();
        clock = setup.clock();
    }

    /** Begins to note changes. */
    synchronized void watch(Consumer<RecoveryTimeline.Change> listener) {
        if (!isClosed) {
            steps = listener;
            watch = admin.watch(event -> listener.accept(timeline.add(clock.epochMs(), event)));
        }
    }

    /** Returns a look that is at most two seconds old when the call begins. */
    synchronized ClusterLook now() {
        ClusterLook known = last;
        if (known != null && clock.nowNs() - lastNs < AGE_NS) {
            return known;
        }
        ClusterStatus status = admin.status();
        for (ClusterStatus.Member node : status.nodes()) {
            NodeStatus seen = node.status();
            if (seen != null && !seen.name().isEmpty()) {
                names.put(node.life().nid(), seen.name());
            }
        }
        ClusterLook look = new ClusterLook(clock.epochMs(), status, admin.figures(), names);
        last = look;
        lastNs = clock.nowNs();
        return look;
    }

    /** Notes a step of a roll. */
    void step(int nid, String text) {
        steps.accept(timeline.addStep(clock.epochMs(), nid, text));
    }

    RecoveryTimeline timeline() {
        return timeline;
    }

    ClusterAdmin admin() {
        return admin;
    }

    @Override
    public void close() {
        ClusterAdmin.Watch begun;
        synchronized (this) {
            isClosed = true;
            begun = watch;
        }
        if (begun != null) {
            begun.close();
        }
        admin.close();
    }
}
