package io.teff.cluster.operation;

import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.FailureText;
import io.teff.engine.zone.ChunkChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes of a job at the owner of their zone: one group of changes, in one record, with the result of the
 * job in the slot of the job's ticket, if the job has a ticket. The epoch of the owner is in the record: the backups
 * refuse what a deposed owner still records. Pure functions on the host.
 */
public final class JobCommit {
    /** Outcome of the changes. */
    public enum Outcome {
        /** The changes are made, and the number is that of their record. */
        DONE,
        /** The changes were made by an earlier run with the same ticket; the value is the result of that run. */
        REPEATED,
        /** Nothing is changed: the chunk of the index has another content, or does not exist. */
        CONFLICT,
        /** Nothing is changed: another thread or client has locked a chunk. */
        LOCKED,
        /** Nothing is changed now: the backups lag behind, or an earlier run is still in the slot. */
        BUSY,
        /** Nothing is changed: the session of the client has ended. */
        EXPIRED,
        /** This peer does not serve the zone any more. */
        DEPOSED,
        /** Nothing is changed: the store has refused, for the reason in the text. */
        REFUSED
    }

    /**
     * The result of a commit.
     *
     * @param outcome what has become of the changes
     * @param number of the record, or index of the chunk of a conflict
     * @param value result of an earlier run; null for none
     * @param text why the store has refused; empty for none
     */
    public record Result(Outcome outcome, long number, byte @Nullable [] value, String text) {
        private static Result of(Outcome outcome) {
            return new Result(outcome, 0, null, "");
        }
    }

    private JobCommit() {}

    /**
     * Looks whether an earlier run of a job has made its changes.
     *
     * @param host the peer
     * @param zone the zone of the job
     * @param session session of the client; 0 for a job without a ticket
     * @param ticket of the job
     * @return REPEATED, BUSY, EXPIRED or DEPOSED; null if the job has to run
     */
    public static @Nullable Result known(ZoneHost host, int zone, int session, long ticket) {
        final SlotTable slots = host.slots(zone);
        if (slots == null) {
            return Result.of(Outcome.DEPOSED);
        }
        if (session == 0) {
            return null;
        }
        final Slot entered = slots.enter(session, ticket);
        if (entered == SlotTable.IN_USE || entered == SlotTable.ENDED) {
            return Result.of(entered == SlotTable.IN_USE ? Outcome.BUSY : Outcome.EXPIRED);
        }
        try {
            return entered.isDone() ? repeated(entered) : null;
        } finally {
            entered.leave();
        }
    }

    private static Result repeated(Slot of) {
        final byte[] value = of.value();
        return new Result(Outcome.REPEATED, 0, value == null ? new byte[0] : value, "");
    }

    /**
     * Makes changes.
     *
     * @param host the peer
     * @param zone the zone of all changes
     * @param changes at least one
     * @param session session of the client; 0 for changes without a ticket
     * @param ticket of the job
     * @param value result of the job, which the slot of the ticket keeps
     * @return what has become of the changes
     */
    public static Result commit(ZoneHost host, int zone, List<ChunkChange> changes, int session, long ticket,
                                byte[] value) {
        final ChunkStore store = host.serving(zone);
        final SlotTable slots = host.slots(zone);
        if (store == null || slots == null) {
            return Result.of(Outcome.DEPOSED);
        }
        try {
            final RecordedZone recorded = slots.recorded().take(store, host);
            try {
                return session == 0 ? change(host, recorded, changes)
                    : once(host, slots, recorded, changes, session, ticket, value);
            } finally {
                slots.recorded().give(recorded);
            }
        } catch (StoreException e) {
            return refused(e, host, slots.zone(), store, changes);
        } catch (StoreClosedException | ZoneDroppedException _) {
            return Result.of(Outcome.DEPOSED);
        }
    }

    private static Result once(ZoneHost host, SlotTable slots, RecordedZone recorded, List<ChunkChange> changes,
                               int session, long ticket, byte[] value) {
        final Slot entered = slots.enter(session, ticket);
        if (entered == SlotTable.IN_USE || entered == SlotTable.ENDED) {
            return Result.of(entered == SlotTable.IN_USE ? Outcome.BUSY : Outcome.EXPIRED);
        }
        try {
            if (entered.isDone()) {
                return repeated(entered);
            }
            SlotWriter.prepare(slots, entered);
            recorded.writer().collection(slots, entered, value.length, value);
            final Result result = change(host, recorded, changes);
            if (result.outcome == Outcome.DONE) {
                entered.answered(OperationFormat.DONE, value.length, value, true);
            }
            return result;
        } catch (StoreException e) {
            if (entered.isDone()) {                             // it was recorded before
                return repeated(entered);
            }
            throw e;
        } finally {
            entered.leave();
        }
    }

    private static Result change(ZoneHost host, RecordedZone recorded, List<ChunkChange> changes) {
        final int result = recorded.changes().change(changes);
        if (result == Status.OK) {
            return new Result(Outcome.DONE, recorded.writer().number(), null, "");
        }
        if (!Status.isStatus(result)) {
            return new Result(Outcome.CONFLICT, result - 1, null, "");
        }
        if (result == Status.LOCKED || result == Status.PINNED) {
            return locked(host, recorded.of(), changes);
        }
        return new Result(Outcome.REFUSED, 0, null, Status.name(result));
    }

    /**
     * Ends the locks of a chunk whose leases are over.
     *
     * @param host the peer
     * @param store the served view of the zone
     * @param cid a chunk of the zone that was locked
     */
    public static void expire(ZoneHost host, ChunkStore store, long cid) {
        final SlotTable slots = host.slots(Cid.nid(cid));
        if (slots != null) {
            slots.locks().expire(store, host.slotLog(), cid, host.clock().nowNs());
        }
    }

    private static Result locked(ZoneHost host, ChunkStore store, List<ChunkChange> changes) {
        changes.forEach(change -> expire(host, store, change.cid()));
        return Result.of(Outcome.LOCKED);
    }

    private static Result refused(StoreException e, ZoneHost host, int zone, ChunkStore store,
                                  List<ChunkChange> changes) {
        if (e.status() == Status.LOCKED) {
            return locked(host, store, changes);
        }
        return switch (RefusalCode.of(e, host, zone)) {
            case OperationFormat.BUSY -> Result.of(Outcome.BUSY);
            case OperationFormat.DEPOSED -> Result.of(Outcome.DEPOSED);
            default -> new Result(Outcome.REFUSED, 0, null, FailureText.of(e));
        };
    }
}
