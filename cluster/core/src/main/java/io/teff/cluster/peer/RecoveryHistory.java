package io.teff.cluster.peer;

import io.teff.cluster.log.NodeLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The timelines of the last recoveries at this node. Thread-safe. */
final class RecoveryHistory {
    private static final int TIMES_MAX = 1_024;

    private final int nid;
    private final NodeLog events;
    /** Guarded by itself. */
    private final Deque<RecoveryTimes> times = new ArrayDeque<>();

    /**
     * Begins without a recovery.
     *
     * @param nid of the node
     * @param events receives an event for each recovery
     */
    RecoveryHistory(int nid, NodeLog events) {
        this.nid = nid;
        this.events = events;
    }

    /** Adds a recovery that has ended, and reports the recovery. */
    void add(RecoveryTimes done) {
        synchronized (times) {
            times.addLast(done);
            if (times.size() > TIMES_MAX) {
                times.removeFirst();
            }
        }
        done.emit(nid);
        done.log(events);
    }

    /** Returns the timelines, oldest first. */
    List<RecoveryTimes> times() {
        synchronized (times) {
            return new ArrayList<>(times);
        }
    }
}
