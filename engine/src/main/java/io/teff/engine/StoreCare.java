package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.alloc.RunMap;
import io.teff.engine.config.Limits;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.event.StoreCloseEvent;
import io.teff.engine.event.StoreStatisticsEvent;
import io.teff.engine.event.TrimEvent;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.memory.Memory;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.StoreStats;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is done to a whole store: statistics, audit, quiet moments for snapshots, giving memory back, close.
 *
 * <p>The care lock lets one of these run at a time. A quiet moment freezes all stripes (writers wait, readers go on),
 * then takes all allocation stripes, so that neither entries nor memory change.
 */
final class StoreCare {
    private static final long CLOSE_POLL_NS = 200_000;

    private final Core core;
    private final ReentrantLock careLock = new ReentrantLock();
    private final Runnable statisticsHook = this::emitStatistics;

    StoreCare(Core core) {
        this.core = core;
        StoreStatisticsEvent.addHook(statisticsHook);
    }

    // ---- look ----

    private void emitStatistics() {
        if (!core.stripes.isClosed()) {
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

    StoreStats stats() {
        if (core.stripes.isClosed()) {
            throw core.closed();
        }
        long chunks = -core.stripes.removedChunks();
        long payload = -core.stripes.removedPayloadBytes();
        for (int i = 0; i < core.allocStripes.count(); i++) {
            AllocStripe stripe = core.allocStripes.stripe(i);
            chunks += stripe.createdChunks();
            payload += stripe.createdPayloadBytes();
        }
        return new StoreStats(core.config.name(), core.own.nid(), chunks, payload, takenBytes(), core.tables.bytes(),
            core.runs.usedBytes(), core.runs.committedBytes(), core.config.memoryLimitBytes(), Memory.RESERVED);
    }

    /** Bytes of all slots and runs that chunks have; takes microseconds, exact if nothing changes meanwhile. */
    long takenBytes() {
        long taken = -core.stripes.removedTakenBytes();
        for (int i = 0; i < core.allocStripes.count(); i++) {
            taken += core.allocStripes.stripe(i).createdTakenBytes();
        }
        return taken;
    }

    AuditReport audit() {
        try (Quiet _ = quiet()) {
            return new Auditor(core).audit();
        }
    }

    HeapReport heap(int largestCount) {
        try (Quiet _ = quiet()) {
            StoreWalk walk = new StoreWalk(core);
            HeapTally tally = new HeapTally(core.config.debugLevel(), walk.end(), largestCount);
            walk.walkTables(tally);
            walk.walkMemory(tally);
            assert tally.contradiction() == null : tally.contradiction();
            StoreStats stats = stats();
            return tally.report(stats.nid(), stats.reserved(), stats.committedBytes(), stats.limitBytes());
        }
    }

    // ---- quiet moments ----

    /** The store while nothing changes; close it to let changes go on. */
    final class Quiet implements AutoCloseable {
        private Quiet() {}

        @Override
        public void close() {
            core.allocStripes.releaseAll();
            core.stripes.thaw();
            careLock.unlock();
        }
    }

    private void lockCare() {
        refuseInside();
        careLock.lock();
    }

    /** A Progress that uses the store would wait for its own quiet moment. */
    void refuseInside() {
        if (careLock.isHeldByCurrentThread()) {
            throw new IllegalStateException("the calling thread already audits " + core.config.name()
                + " or writes its snapshot; a Progress must not use the store");
        }
    }

    /** Waits for running changes and keeps new ones out. */
    Quiet quiet() {
        lockCare();
        try {
            core.stripes.freeze();
        } catch (RuntimeException e) {
            careLock.unlock();
            throw e;
        }
        core.allocStripes.acquireAll();
        return new Quiet();
    }

    /** The same, and no chunk is held exclusively: contents are complete. */
    Quiet quietAndUnlocked(long timeoutNs) {
        long start = core.seams.platform().clock().nowNs();
        for (;;) {
            Quiet quiet = quiet();
            long locked = exclusive();
            if (locked == Cid.NONE) {
                return quiet;
            }
            quiet.close();
            long left = timeoutNs - (core.seams.platform().clock().nowNs() - start);
            int waited = core.locks.enter(locked, LockIntent.READ, Math.max(left, 0));
            if (waited == Status.OK) {
                core.locks.leave(locked);
            }
            if (waited == Status.LOCKED || left <= 0) {
                throw new StoreException(Category.RETRY, "chunk " + Cid.toString(locked) + " stayed locked for "
                    + timeoutNs + " ns by another thread, see Locks.list()");
            }
            if (core.locks.isHeld(locked, true)) {
                throw new IllegalStateException("the calling thread itself holds the write lock of chunk "
                    + Cid.toString(locked));
            }
        }
    }

    private long exclusive() {
        long[] found = {Cid.NONE};
        core.locks.forEach(true, (cid, writer, readers, pins, waiters) -> {
            if (writer != null) {
                found[0] = cid;
            }
        });
        return found[0];
    }

    // ---- give back ----

    /** Lets go of what is cached, and gives free units back to the kernel. */
    long trim() {
        TrimEvent event = new TrimEvent();
        event.begin();
        try (Quiet _ = quiet()) {
            core.heap.drainQuarantine();
            for (int i = 0; i < core.allocStripes.count(); i++) {
                core.allocator.abandonPages(core.allocStripes.stripe(i), false);
            }
            core.allocator.evacuator().releaseEmptyVictims();
            RunMap.GiveBack walk = core.runs.giveBack();
            boolean more = true;
            while (more) {
                more = walk.step();
            }
            event.bytes = walk.bytes();
            return event.bytes;
        } finally {
            event.store = core.config.name();
            event.commit();
        }
    }

    // ---- close ----

    /** Ends the store; false if it was closed before. */
    boolean close() {
        StoreCloseEvent event = new StoreCloseEvent();
        event.begin();
        lockCare();
        try {
            if (core.stripes.isClosed()) {
                return false;
            }
            core.closing = true;
            awaitRunning();
            core.stripes.freeze();
            core.allocStripes.acquireAll();
            core.stripes.close();
            core.allocStripes.releaseAll();
            core.locks.wakeAll();
            core.region.close();
            StoreStatisticsEvent.removeHook(statisticsHook);
            event.store = core.config.name();
            event.commit();
            return true;
        } finally {
            careLock.unlock();
        }
    }

    private void awaitRunning() {
        long start = core.seams.platform().clock().nowNs();
        while (core.running.sum() > 0 && core.seams.platform().clock().nowNs() - start < Limits.CLOSE_TIMEOUT_NS) {
            core.seams.platform().clock().pause(this, CLOSE_POLL_NS);
        }
    }
}
