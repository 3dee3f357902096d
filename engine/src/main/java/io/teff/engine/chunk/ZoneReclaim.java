package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.Status;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Gives the memory of dropped zones back in the background.
 *
 * <p><b>Why no thread uses the memory any more.</b> A zone is dropped by changing what look-ups of beginning operations
 * find ({@link io.teff.engine.table.CreatorTables#drop}). A thread that has found a chunk or an id of the zone before
 * <ul>
 * <li>is inside the stripe of the chunk, or inside an allocation stripe: this class enters each such stripe once before
 *   it frees anything, so the thread has left, and a thread that enters later finds the zone dropped;
 * <li>or holds the chunk by a lock or a pin, as every long copy and every view does: the chunk has a lock record, and
 *   its memory stays until the record is gone. No new record is made, because the admission to a hold looks it up;
 * <li>or reads optimistically: entering the stripe has changed the stripe's word, so the validation fails. A reader
 *   that begins later finds no page, because the empty flat copy was stored before the stripe was entered.
 * </ul>
 * Walks in quiet moments see each chunk until it is freed inside its stripe, and each page until it is released inside
 * an allocation stripe.
 *
 * <p><b>A new zone of the same number</b> becomes visible only when no lock record of the old one is left
 * ({@link #publish}). From then on records belong to the new zone, and all chunks of the old one are free. Records are
 * counted and zones are published under one monitor, so a record of the new zone is never taken for one of the old.
 *
 * <p>Rank of the monitor: after the care lock, before all stripes. Thread-safe.
 */
public final class ZoneReclaim {
    private static final long PAUSE_NS_MIN = 50_000;
    private static final long PAUSE_NS_MAX = 20_000_000;
    private static final long ROOM_NS_MAX = 1_000_000_000;

    private final ChunkSpace space;
    private final AtomicBoolean isRunning = new AtomicBoolean();
    /** Zones to give back; guarded by itself. */
    private final List<Work> queue = new ArrayList<>();
    /** Whether the queue has a zone that the current round does not look at; guarded by the queue. */
    private boolean isNewWork;
    /** Number of freed chunks and pages; only its changes matter. */
    private volatile long progress;
    /** Whether memory is being given back, and not only holds are awaited. */
    private volatile boolean isBusy;

    /** A dropped zone. */
    private record Work(Zone zone, boolean wasVisible, Runnable then) {}

    /**
     * Creates the reclaim of a store without dropped zones.
     *
     * @param space the store's chunks
     */
    public ZoneReclaim(ChunkSpace space) {
        this.space = space;
    }

    /**
     * Gives the memory of a zone back in the background.
     *
     * @param zone a dropped zone
     * @param wasVisible whether operations have found it
     * @param then called afterwards, on the background thread
     */
    void add(Zone zone, boolean wasVisible, Runnable then) {
        synchronized (queue) {
            queue.add(new Work(zone, wasVisible, then));
            isNewWork = true;
            isBusy = true;
        }
        startIfIdle();
    }

    /** Starts the thread. If the system has none left, the drop does not fail: the next one tries again. */
    private void startIfIdle() {
        if (isRunning.compareAndSet(false, true)) {
            boolean isStarted = false;
            try {
                space.seams.platform().threads().start("teff-drop " + space.config.name(), this::run);
                isStarted = true;
            } catch (OutOfMemoryError e) {
                isBusy = false;
            } finally {
                if (!isStarted) {
                    isRunning.set(false);
                }
            }
        }
    }

    // ---- the background thread ----

    /** Looks again after the end, because a drop just before the end found a running thread. */
    private void run() {
        boolean isDone;
        do {
            isDone = false;
            try {
                giveBackAll();
                isDone = true;
            } catch (StoreClosedException e) {
                return;                                         // the memory is gone as a whole
            } finally {
                if (!isDone) {
                    isBusy = false;
                }
                isRunning.set(false);
            }
        } while (hasWork() && isRunning.compareAndSet(false, true));
    }

    private boolean hasWork() {
        synchronized (queue) {
            return !queue.isEmpty();
        }
    }

    private void giveBackAll() {
        long pauseNs = PAUSE_NS_MIN;
        while (hasWork()) {
            long before = progress;
            for (Work work : due()) {
                if (giveBack(work)) {
                    end(work);
                }
            }
            pauseNs = progress == before ? Math.min(2 * pauseNs, PAUSE_NS_MAX) : PAUSE_NS_MIN;
            if (isWaiting()) {
                space.seams.platform().clock().pause(this, pauseNs);
            }
        }
    }

    private List<Work> due() {
        synchronized (queue) {
            isBusy = true;
            isNewWork = false;
            return List.copyOf(queue);
        }
    }

    private void end(Work work) {
        work.zone().table().discardDirectory();
        space.tables.forget(work.zone());
        synchronized (queue) {
            queue.remove(work);
        }
        work.then().run();
    }

    /** Ends a round; returns whether only chunks that are held are left. */
    private boolean isWaiting() {
        synchronized (queue) {
            isBusy = isNewWork;
            return !isNewWork && !queue.isEmpty();
        }
    }

    /** Frees what no thread holds; returns whether the zone has no memory left. */
    private boolean giveBack(Work work) {
        Zone zone = work.zone();
        boolean isHeld = work.wasVisible() && !isUnheld(zone.nid());
        Table table = zone.table();
        boolean isEmpty = true;
        for (long page = table.nextKnown(0); page >= 0; page = table.nextKnown(Table.nextPage(page))) {
            boolean isFreed = freeChunks(zone, page, isHeld);
            if (isFreed) {
                discard(table, page);
            }
            isEmpty &= isFreed;
        }
        return isEmpty;
    }

    /** Frees the chunks of a table page; returns whether none is left. Close waits for this. */
    private boolean freeChunks(Zone zone, long page, boolean isHeld) {
        Table table = zone.table();
        boolean isFreed = true;
        space.beginRunning();
        try {
            long entry = table.entry(page);
            for (long index = page; entry != Table.NO_ENTRY && index < Table.nextPage(page); index++) {
                if (EntryWord.state(space.memory.getLongAcquire(entry)) >= EntryWord.EXCLUSIVE) {
                    isFreed &= freeChunk(zone, entry, index, isHeld);
                }
                entry += Long.BYTES;
            }
        } finally {
            space.endRunning();
        }
        return isFreed;
    }

    private boolean freeChunk(Zone zone, long entry, long index, boolean isHeld) {
        int stripe = space.stripes.of(index);
        space.stripes.enter(stripe);
        try {
            long word = space.memory.getLong(entry);
            long cid = CidLayout.pack(zone.nid(), EntryWord.generation(word), index);
            if (isHeld && space.locks.isRecordedInside(cid)) {
                return false;
            }
            long length = space.chunks.length(word);
            long taken = space.chunks.takenBytes(length);
            space.memory.putLongRelease(entry, 0);
            space.stripes.countRemoved(stripe, 1, length, taken);
            zone.count(-1, -length, -taken);
            space.chunks.free(EntryWord.address(word), length);
            advance();
            return true;
        } finally {
            space.stripes.leave(stripe);
        }
    }

    private void discard(Table table, long page) {
        AllocStripe stripe = space.acquire();
        try {
            table.discardPage(page);
            advance();
        } finally {
            space.allocStripes.release(stripe);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")               // only the background thread writes it
    private void advance() {
        progress++;
    }

    // ---- holds ----

    /** Returns whether no thread uses the dropped zone of this number any more. Enters each stripe once. */
    private synchronized boolean isUnheld(int nid) {
        if (space.tables.zone(nid) != null) {
            return true;                                        // publish has made sure
        }
        int records = space.locks.releaseDropped(nid);
        for (int i = 0; i < space.allocStripes.count(); i++) {
            while (!space.allocStripes.tryAcquire(i)) {
                space.seams.platform().clock().pause(this, PAUSE_NS_MIN);
            }
            space.allocStripes.release(space.allocStripes.stripe(i));
        }
        return records == 0;
    }

    /**
     * Makes a zone visible, unless threads hold chunks of a dropped zone of the same number.
     *
     * @param zone a hidden zone
     * @return whether it is visible now
     */
    synchronized boolean publish(Zone zone) {
        if (space.tables.isBeingDropped(zone.nid()) && !isUnheld(zone.nid())) {
            return false;
        }
        AllocStripe stripe = space.acquire();                   // not in a quiet moment
        try {
            space.tables.publish(zone);
        } finally {
            space.allocStripes.release(stripe);
        }
        return true;
    }

    // ---- room ----

    /**
     * Repeats a change that has found no memory, as long as memory of dropped zones comes back; waits for the next
     * piece of it for at most a second. For a thread that holds no lock. The change is repeated once if nothing is
     * being given back any more, because the last piece may have come back after the change had looked for it.
     *
     * @param change makes the change; returns {@link Status#FULL} if it finds no memory again
     * @return result of the last repetition; FULL at once if no zone has ever been dropped
     */
    public long repeat(LongSupplier change) {
        long result = Status.FULL;
        boolean isToRepeat = isBusy || progress != 0;
        while (isToRepeat) {
            long before = progress;
            result = change.getAsLong();
            isToRepeat = result == Status.FULL && comesBack(before);
        }
        return result;
    }

    private boolean comesBack(long before) {
        long start = space.seams.platform().clock().nowNs();
        while (isBusy && progress == before && space.seams.platform().clock().nowNs() - start < ROOM_NS_MAX) {
            space.seams.platform().clock().pause(this, PAUSE_NS_MIN);
        }
        return progress != before;
    }
}
