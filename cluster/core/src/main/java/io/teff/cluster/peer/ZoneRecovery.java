package io.teff.cluster.peer;

import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.zone.ZoneOwner;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Units;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.ZoneCopy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The recovery of one zone at a candidate, and at the new owner: its times, its attempts to read, and the changes that
 * the backups lack. {@link LocalZone} has the states. Reading and shipping go on side by side: neither needs the other.
 *
 * <p><b>Failures.</b> A failed reading is tried again in growing intervals, or a different candidate is to restore the
 * zone: see {@link #hindrance}. If the memory is too small, the zone is measured, and read again only when the memory
 * suffices.
 *
 * <p><b>Threads.</b> A thread of the pool reports the end of reading by {@link #read} or {@link #failed}. The other
 * methods belong to the thread that acts on the tables.
 */
final class ZoneRecovery {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS_MAX = TimeUnit.SECONDS.toNanos(10);
    /** After a single failure the disk may be busy. */
    private static final int FAILURES_MIN = 2;

    private final int zone;
    private final long beganNs;
    private final long beganMs;
    private long fencedNs;
    private long chosenNs;
    private long shippedNs;
    private boolean isTailAdded;
    private long readAgainNs;
    private long retryNs = RETRY_NS;

    // ---- set by threads of the pool ----
    private final AtomicInteger failures = new AtomicInteger();
    private volatile long restoredNs;
    private volatile long neededBytes;
    private volatile @Nullable Hindrance hindrance;
    private volatile @Nullable RuntimeException problem;

    ZoneRecovery(int zone, long nowNs, long nowMs) {
        this.zone = zone;
        beganNs = nowNs;
        readAgainNs = nowNs;
        beganMs = nowMs;
    }

    /** Notes that this node's copy is fenced. Returns whether that is new. */
    boolean fenced(long nowNs) {
        final boolean isNew = fencedNs == 0;
        fencedNs = isNew ? nowNs : fencedNs;
        return isNew;
    }

    // ---- the new owner ----

    /** Notes that this node is the next owner. */
    void chosen(long nowNs) {
        chosenNs = nowNs;
    }

    /** Returns whether the next attempt to read is due. */
    boolean isDue(long nowNs) {
        return nowNs - readAgainNs >= 0;
    }

    /** Sets when the attempt after the next is due, if the next attempt fails. */
    void postpone(long nowNs) {
        readAgainNs = nowNs + retryNs;
        retryNs = Math.min(2 * retryNs, RETRY_NS_MAX);
    }

    /** Returns about how much memory the zone needs, in bytes, if the memory was too small; else 0. */
    long neededBytes() {
        return neededBytes;
    }

    /** Returns why reading has failed last. Null without a failure, or after too few failures. */
    @Nullable Hindrance hindrance() {
        return hindrance == Hindrance.DISK && failures.get() < FAILURES_MIN ? null : hindrance;
    }

    /** Notes that all backups have all changes. */
    void shipped(long nowNs) {
        shippedNs = shippedNs == 0 ? nowNs : shippedNs;
    }

    // ---- threads of the pool ----

    /** Notes that all chunks are in memory. */
    void read(long nowNs) {
        restoredNs = nowNs;
        problem = null;
    }

    /** Notes that reading has failed. */
    void failed(RuntimeException why) {
        problem = why;
    }

    /** Notes what prevents reading, after {@link #failed}; null if that is not known. */
    void hindered(@Nullable Hindrance by) {
        failures.incrementAndGet();
        hindrance = by == null ? hindrance : by;
    }

    /** Notes how much memory the zone needs. */
    void needs(long bytes) {
        neededBytes = bytes;
    }

    // ---- the tail ----

    /**
     * Adds the changes that other backups lack, as soon as all backups have reported their last change. Returns the
     * backups to be given up: the log does not have the missing changes one by one any more.
     *
     * @param to receives the changes
     * @param log the node's log
     * @param copy the node's copy of the zone; null if there is none
     */
    List<NodeRef> addTail(ZoneShipment to, CopyLog log, @Nullable ZoneCopy copy, long nowNs) {
        if (isTailAdded || to.leastKnown() < 0) {
            return List.of();
        }
        final ZoneOwner owner = to.owner();
        long least = owner.committed();
        for (ZoneOwner.Progress progress : owner.backups()) {
            least = Long.compareUnsigned(progress.logged(), least) < 0 ? progress.logged() : least;
        }
        if (least == owner.committed() || copy != null && tail(to, log, copy, least, nowNs)) {
            isTailAdded = true;
            return List.of();
        }
        to.dropTail(nowNs);
        final long behind = least;
        return owner.backups().stream().filter(progress -> progress.logged() == behind)
            .map(progress -> progress.backup().node()).toList();
    }

    private boolean tail(ZoneShipment to, CopyLog log, ZoneCopy copy, long after, long nowNs) {
        final RunReader reader = new RunReader();
        return log.tail(copy, after, (bytes, offset, length) -> {
            final String fault = reader.check(bytes, offset, length, zone);
            if (fault != null) {
                throw new IllegalStateException("zone " + zone + ": the own log has a malformed run: " + fault);
            }
            to.addTail(bytes, offset, length, reader.first(), reader.last(), nowNs);
        });
    }

    // ---- for people ----

    /** Returns why reading has failed last, in a sentence; null if reading has not failed. */
    @Nullable String problem() {
        final RuntimeException why = problem;
        return why == null ? null : "zone " + zone + " cannot be restored: " + FailureText.of(why)
            + (neededBytes == 0 ? "" : "; it needs " + Units.bytes(neededBytes));
    }

    /** Returns the timeline of a zone that is served now. */
    RecoveryTimes served(ZoneRow row, long nowNs, long chunks) {
        return new RecoveryTimes(new NodeStatus.Recovery(zone, row.epoch(), beganMs, since(fencedNs), since(chosenNs),
            since(restoredNs), since(shippedNs), since(nowNs), chunks));
    }

    private long since(long atNs) {
        return atNs == 0 ? 0 : atNs - beganNs;
    }
}
