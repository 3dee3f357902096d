package io.teff.cluster.client;

import io.teff.engine.os.Clock;
import java.util.concurrent.TimeUnit;

/**
 * A session of a client of services. The lease counts from the sending of the last answered renewal, shortened by the
 * drift of clocks; the superpeers count from the arrival, and lengthen by the drift. The wall clock counts, too: the
 * monotonic clock of a suspended machine may stand still. Thread-safe.
 */
final class ServiceSession {
    /** By how much clocks differ: 1 %. */
    private static final int DRIFT_SHARE = 100;
    /** The wall clock is read in milliseconds. */
    private static final long WALL_TICK_MS = 1;

    final long number;
    final long key;
    /** The slots of changes. A registry has the slots of a single zone. */
    final ClientSession slots = new ClientSession(0);
    private final Clock clock;
    private final long heldNs;
    private volatile boolean isLost;
    private long untilNs;
    private long untilWallMs;

    /** A time of sending, by both clocks. */
    record Sent(long ns, long wallMs) {
        static Sent now(Clock clock) {
            return new Sent(clock.nowNs(), clock.epochMs());
        }
    }

    ServiceSession(long number, long key, long leaseNs, Sent opened, Clock clock) {
        this.number = number;
        this.key = key;
        this.clock = clock;
        heldNs = leaseNs - leaseNs / DRIFT_SHARE;
        untilNs = opened.ns() + heldNs;
        untilWallMs = opened.wallMs() + TimeUnit.NANOSECONDS.toMillis(heldNs);
    }

    /** A renewal that was sent at a time has been applied. */
    synchronized void renewed(Sent sent) {
        if (sent.ns() + heldNs - untilNs > 0) {
            untilNs = sent.ns() + heldNs;
            untilWallMs = sent.wallMs() + TimeUnit.NANOSECONDS.toMillis(heldNs);
        }
    }

    /** Returns whether the session is certainly open. */
    synchronized boolean isCertain() {
        return !isLost && clock.nowNs() - untilNs < 0 && clock.epochMs() + WALL_TICK_MS < untilWallMs;
    }

    boolean isLost() {
        return isLost;
    }

    void lose() {
        isLost = true;
    }
}
