package io.teff.engine.care;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.alloc.RunMap;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.config.Limits;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.event.StoreCloseEvent;
import io.teff.engine.event.StoreStatisticsEvent;
import io.teff.engine.event.TrimEvent;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Units;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.StoreStats;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Operations on a whole store: statistics, audit, quiet moments for snapshots, trim, close.
 *
 * <p>The care lock lets only one of these operations run at a time, except statistics. A quiet moment freezes all
 * stripes (writers wait, readers continue), then takes all allocation stripes, so that neither entries nor memory
 * change.
 */
public final class StoreCare {
    private static final long CLOSE_POLL_NS = 200_000;
    /** Waits of about a millisecond, and of some 100 us, for threads in the middle of a change. */
    private static final int CLOSE_WAITS_MAX = (int) (Limits.CLOSE_TIMEOUT_NS / 1_000_000);
    private static final int CLOSE_SHORT_WAITS_MAX = 5 * CLOSE_WAITS_MAX;

    private final ChunkSpace space;
    private final ReentrantLock careLock = new ReentrantLock();
    private final Runnable statisticsHook = this::emitStatistics;

    public StoreCare(ChunkSpace space) {
        this.space = space;
        StoreStatisticsEvent.addHook(statisticsHook);
    }

    // ---- statistics and audits ----

    private void emitStatistics() {
        if (!space.stripes.isClosed()) {
            StoreStats stats = stats();
            StoreStatisticsEvent event = new StoreStatisticsEvent();
            event.store = stats.name();
            event.chunks = stats.chunks();
            event.payloadBytes = stats.payloadBytes();
            event.tableBytes = stats.tableBytes();
            event.usedBytes = stats.usedBytes();
            event.committedBytes = stats.committedBytes();
            event.commit();
        }
    }

    public StoreStats stats() {
        if (space.stripes.isClosed()) {
            throw space.closed();
        }
        long chunks = -space.stripes.removedChunks();
        long payload = -space.stripes.removedPayloadBytes();
        for (int i = 0; i < space.allocStripes.count(); i++) {
            AllocStripe stripe = space.allocStripes.stripe(i);
            chunks += stripe.createdChunks();
            payload += stripe.createdPayloadBytes();
        }
        return new StoreStats(space.config.name(), space.own.nid(), chunks, payload, space.takenBytes(),
            space.tables.bytes(),
            space.runs.usedBytes(), space.runs.committedBytes(), space.config.memoryLimitBytes(), Memory.RESERVED);
    }

    public AuditReport audit() {
        try (Quiet _ = quiet()) {
            return new Auditor(space).audit(stats());
        }
    }

    public HeapReport heap(int largestCount) {
        try (Quiet _ = quiet()) {
            StoreWalk walk = new StoreWalk(space);
            HeapTally tally = new HeapTally(space.config.debugLevel(), walk.end(), largestCount);
            walk.walkTables(tally);
            walk.walkMemory(tally);
            assert tally.contradiction() == null : tally.contradiction();
            StoreStats stats = stats();
            return tally.report(stats.nid(), stats.reserved(), stats.committedBytes(), stats.limitBytes());
        }
    }

    // ---- quiet moments ----

    /** A quiet moment of the store, in which nothing changes. Closing it lets changes continue. */
    public final class Quiet implements AutoCloseable {
        private Quiet() {}

        @Override
        public void close() {
            space.allocStripes.releaseAll();
            space.stripes.thaw();
            careLock.unlock();
        }
    }

    private void lockCare() {
        refuseInside();
        careLock.lock();
    }

    /**
     * Throws if the calling thread is in a quiet moment already: a Progress that used the store would wait for itself.
     */
    public void refuseInside() {
        if (careLock.isHeldByCurrentThread()) {
            throw new IllegalStateException("the calling thread already audits " + space.config.name()
                + " or writes its snapshot; a Progress must not use the store");
        }
    }

    /** Begins a quiet moment: waits for running changes, and holds back new ones. */
    public Quiet quiet() {
        lockCare();
        try {
            space.stripes.freeze();
        } catch (RuntimeException e) {
            careLock.unlock();
            throw e;
        }
        space.allocStripes.acquireAll();
        return new Quiet();
    }

    /**
     * Begins a quiet moment in which, in addition, no living thread holds a chunk exclusively, so that no content is
     * being changed. Chunks of dropped zones do not count.
     */
    public Quiet quietAndUnlocked(long timeoutNs) {
        long start = space.seams.platform().clock().nowNs();
        for (;;) {
            Quiet quiet = quiet();
            long locked = exclusive();
            if (locked == CidLayout.NONE) {
                return quiet;
            }
            quiet.close();
            long left = timeoutNs - (space.seams.platform().clock().nowNs() - start);
            int waited = space.locks.enter(locked, LockIntent.READ, Math.max(left, 0));
            if (waited == Status.OK) {
                space.locks.leave(locked);
            }
            if ((waited == Status.LOCKED || left <= 0) && !space.locks.isHeldByEnded(locked)) {
                throw new StoreException(Category.RETRY, "chunk " + CidLayout.toString(locked) + " stayed locked for "
                    + Units.time(timeoutNs) + " by another thread, see Locks.list()");
            }
            if (space.locks.isHeld(locked, true)) {
                throw new IllegalStateException("the calling thread itself holds the write lock of chunk "
                    + CidLayout.toString(locked));
            }
        }
    }

    private long exclusive() {
        long[] found = {CidLayout.NONE};
        space.locks.forEach(true, (cid, writer, readers, pins, waiters) -> {
            if (writer != null && ChunkLocks.isAlive(writer) && EntryWord.isChunk(space.find(cid), cid)) {
                found[0] = cid;
            }
        });
        return found[0];
    }

    // ---- giving memory back ----

    /** Releases cached pages, and gives free units back to the kernel; returns the bytes given back. */
    public long trim() {
        TrimEvent event = new TrimEvent();
        event.begin();
        try (Quiet _ = quiet()) {
            releaseCached();
            RunMap.GiveBack walk = space.runs.giveBack();
            boolean more = true;
            while (more) {
                more = walk.step();
            }
            event.bytes = walk.bytes();
            return event.bytes;
        } finally {
            event.store = space.config.name();
            event.commit();
        }
    }

    private void releaseCached() {
        space.heap.drainQuarantine();
        for (int i = 0; i < space.allocStripes.count(); i++) {
            space.allocator.abandonPages(space.allocStripes.stripe(i), false);
        }
        space.allocator.evacuator().releaseEmptyVictims();
    }

    /**
     * Releases pages that are kept for later creates, for a thread that found no run although enough memory is free.
     * Called outside all stripes, as {@link #trim}.
     *
     * @return whether a run may fit now; false if memory was refused for another reason
     */
    public boolean joinFree() {
        StoreStats now = stats();
        if (!space.runs.endRefusal(now.takenBytes() + now.chunks() * Long.BYTES)) {
            return false;
        }
        List<Zone> zones = new ArrayList<>();
        try (Quiet _ = quiet()) {
            releaseCached();
            for (Table table : space.tables.all()) {
                Zone zone = table.zone();
                if (zone != null) {
                    zone.ids().returnStocks();
                    zones.add(zone);
                }
            }
        }
        zones.forEach(space::releaseEmptiedTablePages);
        return true;
    }

    // ---- close ----

    /** Closes the store; returns false if it was closed before. */
    public boolean close() {
        StoreCloseEvent event = new StoreCloseEvent();
        event.begin();
        refuseInside();
        space.stripes.beginClose();
        lockCare();
        try {
            if (space.stripes.isClosed()) {
                return false;
            }
            space.beginClose();
            awaitRunning();
            space.stripes.freezeToClose(CLOSE_WAITS_MAX);
            space.allocStripes.acquireAllToClose(CLOSE_SHORT_WAITS_MAX);
            space.stripes.close();
            space.allocStripes.releaseAll();
            space.locks.wakeAll();
            space.region.close();
            StoreStatisticsEvent.removeHook(statisticsHook);
            event.store = space.config.name();
            event.commit();
            return true;
        } finally {
            careLock.unlock();
        }
    }

    private void awaitRunning() {
        long start = space.seams.platform().clock().nowNs();
        while (space.running.sum() > 0 && space.seams.platform().clock().nowNs() - start < Limits.CLOSE_TIMEOUT_NS) {
            space.seams.platform().clock().pause(this, CLOSE_POLL_NS);
        }
    }
}
