package io.teff.cluster.peer;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.error.StoreException;
import io.teff.engine.zone.ZoneRecording;
import io.teff.engine.zone.Zones;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Records a zone once more, for a learner. The copy of the learner begins with the first change that was not cut when
 * the owner first saw the learner. The thread that acts on the tables makes and asks this object; the recording thread
 * takes the steps.
 *
 * <p>The first step is a mark, a record without a chunk. Nothing is recorded before the learner has logged the mark, so
 * a learner that takes nothing costs nothing.
 */
final class Refill {
    /** About the bytes of a part, or the bytes of its only chunk. */
    private static final long PART_BYTES = 16 << 10;
    private static final int PART_SLOTS = 256;
    private static final long NOT_ENDED = -1;
    private static final long NOT_MARKED = -1;

    private final int zone;
    private final Backup learner;
    private @Nullable ZoneRecording recording;
    /** The slots and locks still to be recorded; null until all chunks are recorded. */
    private @Nullable Deque<SlotTable.Entry> slots;
    private volatile long mark = NOT_MARKED;
    private volatile long end = NOT_ENDED;
    private volatile boolean isGivenUp;

    Refill(int zone, Backup learner) {
        this.zone = zone;
        this.learner = learner;
    }

    /** Returns the recorded zone. */
    int zone() {
        return zone;
    }

    /** Returns whether a node with all changes up to a counter has the mark; true without a mark. */
    boolean isMarkedAt(long counter) {
        return mark <= counter;
    }

    /** Returns the learner's copy. */
    Backup learner() {
        return learner;
    }

    /** Returns whether everything was recorded, and no record has a counter above a given counter. */
    boolean isRecordedUpTo(long counter) {
        final long last = end;
        return last != NOT_ENDED && last <= counter;
    }

    /** Returns the highest counter of the records, once everything was recorded. */
    long end() {
        return end;
    }

    /** Returns whether recording has ended too early, or must end. */
    boolean isGivenUp() {
        return isGivenUp;
    }

    void giveUp() {
        isGivenUp = true;
    }

    /** Returns whether there is nothing left to do. */
    boolean isOver() {
        return isGivenUp || end != NOT_ENDED;
    }

    /** Records the next part; by a single thread. Returns about the bytes of the part. */
    long step(Zones zones, IntFunction<@Nullable SlotTable> tables, ShipRing ring) {
        boolean isGood = false;
        try {
            final SlotTable table = tables.apply(zone);
            if (table != null && mark == NOT_MARKED) {
                mark(ring);
                isGood = true;
                return 0;
            }
            if (recording == null) {
                recording = zones.record(zone, ring.repeating());
            }
            if (table != null && (slots != null || !next(table, recording)) && !next(table, ring)) {
                end = ZoneNumber.counter(ring.now(zone));
            }
            isGood = table != null;
            return Math.max(PART_BYTES, recording.lastBytes());
        } catch (NoSuchElementException | IllegalStateException e) {
            isGood = false;                                     // the zone was dropped, or the store is closed
            return 0;
        } finally {
            if (!isGood) {
                isGivenUp = true;
            }
        }
    }

    private void mark(ShipRing ring) {
        try {
            mark = ZoneNumber.counter(ring.mark(zone));
        } catch (StoreException e) {
            refused(e);
        }
    }

    /** Records the next slots and locks present after all chunks; changes record later slots. */
    private boolean next(SlotTable table, ShipRing ring) {
        final Deque<SlotTable.Entry> left = slots == null ? new ArrayDeque<>(table.entries()) : slots;
        slots = left;
        final SlotLog log = new SlotLog(ring.repeating());
        try {
            for (int i = 0; i < PART_SLOTS && !left.isEmpty() && left.element().record(log); i++) {
                left.remove();
            }
        } catch (StoreException e) {
            refused(e);
        }
        return !left.isEmpty();
    }

    private static void refused(StoreException e) {
        if (e.category() == StoreException.Category.FATAL) {
            throw new IllegalStateException(e);
        }
    }

    /** Records the next part; a refusal of the journal is temporary. */
    private static boolean next(SlotTable table, ZoneRecording recording) {
        try {
            return table.maps().whileNothingChanges(() -> recording.next(PART_BYTES));
        } catch (StoreException e) {
            refused(e);
            return true;
        }
    }
}
