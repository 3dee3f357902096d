package io.teff.cluster.ship;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.zone.ZoneNumber;

/**
 * The progress of the runs of a zone on the way to a backup. Guarded by its {@link ZoneShipment}.
 * <pre>
 *  counters    acknowledged          next                 last change
 *  ───────────────┼───────────────────┼──────────────────────┼──────>
 *   in its log    │ on their way      │ to be sent           │
 * </pre>
 */
final class ShipLane {
    /** Longest time without progress. Afterwards all runs without an acknowledgement are sent again. */
    static final long RESEND_NS = 500_000_000L;
    /** Longest time in which a learner with an earlier copy gets what the copy lacks. */
    private static final long CATCH_UP_NS = 10_000_000_000L;
    private static final long PAUSE_NS_MIN = 5_000_000L;
    private static final long PAUSE_NS_MAX = 80_000_000L;

    final Backup backup;
    final BackupWindow window;
    /** Number of the last change that the backup did not need as a learner; else 0. */
    final long base;
    /** Whether a learner catches up from an earlier copy. */
    final boolean isResumed;
    final long beganNs;
    /** Whether the learner's copy cannot be continued: the copy has other changes, or lacks changes that are gone. */
    boolean isBroken;
    /** Whether the backup has said where it stands. */
    boolean isKnown;
    long acknowledged;
    long synced;
    long next;
    /** Bytes on their way; these bytes count in the window, too. */
    long onTheWay;
    /** The device was asked for up to this counter. */
    long syncAsked;
    long pausedUntilNs;
    /** The last pause after a refused run; 0 after a taken run. */
    long pauseNs;
    /** When the lane has last made progress, or began to wait for an answer. */
    long progressNs;
    boolean isAsked;

    ShipLane(Backup backup, BackupWindow window, long base, boolean isResumed, long nowNs) {
        this.backup = backup;
        this.window = window;
        this.base = base;
        this.isResumed = isResumed;
        beganNs = nowNs;
        acknowledged = ZoneNumber.counter(base);
        synced = acknowledged;
        syncAsked = acknowledged;
        next = acknowledged + 1;
        pausedUntilNs = nowNs;
        progressNs = nowNs;
    }

    /** Returns until when the backup may lack earlier changes without holding up writes. */
    long mayLackUntilNs() {
        return isResumed ? beganNs + CATCH_UP_NS : beganNs;
    }

    void sent(ShippedRun run, long lastCounter, long nowNs) {
        if (onTheWay == 0) {
            progressNs = nowNs;
        }
        onTheWay += run.bytes;
        window.add(run.bytes);
        next = lastCounter + 1;
    }

    void arrived(long bytes) {
        onTheWay -= bytes;
        window.add(-bytes);
    }

    /** Returns the pause before a refused run is sent again: the log may have no room for long. */
    long nextPauseNs() {
        pauseNs = Math.clamp(2 * pauseNs, PAUSE_NS_MIN, PAUSE_NS_MAX);
        return pauseNs;
    }

    /** Sends all runs without an acknowledgement again. */
    void rewind(long nowNs) {
        arrived(onTheWay);
        next = acknowledged + 1;
        syncAsked = synced;
        isAsked = false;
        progressNs = nowNs;
    }
}
