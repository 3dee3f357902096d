package io.teff.engine.chunk;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Units;
import io.teff.engine.table.Zone;
import java.lang.foreign.MemorySegment;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The zones of a store beside its own: adds, fills, publishes and drops them. Thread-safe. */
public final class ZoneSpace {
    private static final long PAUSE_NS = 100_000;

    private final ChunkSpace space;
    private final ZoneReclaim reclaim;
    private final Upkeep upkeep;
    private final ChangeLog log;
    private final Views views;

    /** Creates the objects that callers use to operate on a zone. */
    @FunctionalInterface
    public interface Views {
        /**
         * Creates a view.
         *
         * @param zone the zone, which has its first view or is about to get it
         * @param log records single changes
         * @return the view
         */
        Object of(Zone zone, ChangeLog log);
    }

    /**
     * Creates the zones of a store that has only its own.
     *
     * @param space the store's chunks
     * @param reclaim gives memory back
     * @param upkeep work that is due after changes
     * @param log records single changes
     * @param views creates the views of zones
     */
    public ZoneSpace(ChunkSpace space, ZoneReclaim reclaim, Upkeep upkeep, ChangeLog log, Views views) {
        this.space = space;
        this.reclaim = reclaim;
        this.upkeep = upkeep;
        this.log = log;
        this.views = views;
    }

    /**
     * Adds an empty zone.
     *
     * @param nid its number
     * @return the view of the zone
     * @throws IllegalStateException if there is a zone or a table of this number
     * @throws StoreException of category RETRY if chunks of a dropped zone of this number stay held
     */
    public Object add(int nid) {
        Filler filler = fill(nid);
        boolean isDone = false;
        try {
            Object view = filler.publish();
            isDone = true;
            return view;
        } finally {
            if (!isDone) {
                filler.discard();
            }
        }
    }

    /**
     * Begins to fill a hidden zone.
     *
     * @param nid its number
     * @return the filler
     * @throws IllegalStateException if there is a zone or a table of this number, or one is being filled
     */
    public Filler fill(int nid) {
        space.stripes.checkOpen();
        Zone zone = space.tables.begin(nid);
        zone.view(views.of(zone, log));
        return new Filler(zone);
    }

    /**
     * Drops a visible zone; no effect if there is none.
     *
     * @param nid its number
     */
    public void drop(int nid) {
        Zone zone = space.tables.drop(nid);
        if (zone != null) {
            reclaim.add(zone, true, upkeep::removed);
        }
    }

    /**
     * Finds a visible zone.
     *
     * @param nid any number
     * @return the zone, or null
     */
    public @Nullable Zone find(int nid) {
        return space.tables.zone(nid);
    }

    /**
     * Finds a visible zone.
     *
     * @param nid any number
     * @return the zone
     * @throws NoSuchElementException if there is none
     */
    public Zone get(int nid) {
        Zone zone = find(nid);
        if (zone == null) {
            throw new NoSuchElementException("there is no zone " + nid);
        }
        return zone;
    }

    /**
     * Begins to record a visible zone once more.
     *
     * @param nid its number
     * @param journal takes the records in place of the store's journal; null for the store's journal, if any
     * @return the recorder
     * @throws NoSuchElementException if there is no such zone
     */
    public ZoneRecorder recorder(int nid, @Nullable Journal journal) {
        return new ZoneRecorder(space, journal == null ? log : log.recordedBy(journal), get(nid));
    }

    /**
     * Creates a way to change a visible zone.
     *
     * @param nid its number; may be that of the store's own zone
     * @param journal records the changes in place of the store's journal; null for the store's journal, if any
     * @return the way
     * @throws NoSuchElementException if there is no such zone
     */
    public Changer changer(int nid, @Nullable Journal journal) {
        Zone zone = nid == ownNid() ? space.ownZone : get(nid);
        return new Changer(zone, journal == null ? log : log.recordedBy(journal));
    }

    /** {@return the numbers of the visible zones, in ascending order, without the store's own} */
    public int[] ids() {
        return space.tables.all().stream().skip(1).filter(table -> table.zone() != null).mapToInt(it -> it.nid())
            .toArray();
    }

    /** {@return the NID of the store's own zone} */
    public int ownNid() {
        return space.own.nid();
    }

    /** A way to change a zone, whose changes one log records. */
    public final class Changer {
        private final Zone zone;
        private final ChangeLog recorded;
        private final Object view;
        private final Creates creates;

        private Changer(Zone zone, ChangeLog recorded) {
            this.zone = zone;
            this.recorded = recorded;
            view = views.of(zone, recorded);
            creates = new Creates(space, zone, recorded, upkeep);
        }

        /** {@return the view of the zone} */
        public Object view() {
            return view;
        }

        /**
         * Begins a group of changes of chunks of the zone.
         *
         * @param count number of chunks
         * @return the group
         */
        public GroupChange change(int count) {
            return new GroupChange(space, zone, creates, recorded, upkeep, count);
        }
    }

    /** A zone that is being filled. Its chunks may be given to it by several threads. */
    public final class Filler implements ChunkRestorer {
        private final Zone zone;
        private final JournalRestore restore;
        private final AtomicBoolean isEnded = new AtomicBoolean();
        /** Whether the free ids are known. */
        private boolean isRebuilt;

        private Filler(Zone zone) {
            this.zone = zone;
            this.restore = new JournalRestore(space, zone, reclaim::repeat);
        }

        /** {@return the number of the zone} */
        public int nid() {
            return zone.nid();
        }

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            restore.put(cid, isReadOnly, source, offset, length);
        }

        @Override
        public Pieces begin(long length) {
            return restore.begin(length);
        }

        @Override
        public void removed(long cid) {
            restore.removed(cid);
        }

        @Override
        public void reserved(long cid) {
            restore.reserved(cid);
        }

        /**
         * Makes the zone visible. Waits up to the lock timeout for holds of a dropped zone of the same number.
         *
         * @return the view of the zone
         * @throws IllegalStateException if the fill has ended, or there is a table of this number meanwhile
         * @throws StoreException of category RETRY if chunks of the dropped zone stay held; the fill has not ended
         */
        public Object publish() {
            if (!isEnded.compareAndSet(false, true)) {
                throw new IllegalStateException("the fill of zone " + zone.nid() + " has ended");
            }
            boolean isDone = false;
            try {
                rebuild();
                publishUnheld();
                isDone = true;
            } finally {
                isEnded.set(isDone);
            }
            return Objects.requireNonNull(zone.view());
        }

        private void rebuild() {
            AllocStripe stripe = space.acquire();               // not in a quiet moment: pages without chunks go
            try {
                if (!isRebuilt) {
                    restore.end();
                    isRebuilt = true;
                }
            } finally {
                space.allocStripes.release(stripe);
            }
        }

        private void publishUnheld() {
            long start = space.seams.platform().clock().nowNs();
            while (!reclaim.publish(zone)) {
                if (space.seams.platform().clock().nowNs() - start > space.config.lockTimeoutNs()) {
                    throw new StoreException(Category.RETRY, "chunks of the dropped zone " + zone.nid() + " stayed "
                        + "locked or pinned for " + Units.time(space.config.lockTimeoutNs()) + ", see Locks.list()");
                }
                space.seams.platform().clock().pause(this, PAUSE_NS);
            }
        }

        /** Drops what was filled; no effect if the fill has ended. */
        public void discard() {
            if (isEnded.compareAndSet(false, true) && space.tables.discard(zone)) {
                reclaim.add(zone, false, upkeep::removed);
            }
        }
    }
}
