package io.teff.cluster.operation;

import io.teff.cluster.slot.LockTable;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Executes one change of a single chunk, a group, or a lock. The records of the change go through the writer of a
 * recorded zone, so the change knows the number of its own record. A change of a session is executed only if the slot
 * of the change does not know the result. Used once.
 */
final class ChangeExecution extends SingleExecution {
    private final SlotTable slots;
    private final RecordedZone zone;
    /** The slot of the change, if it has a session; the thread is in the slot. */
    private @Nullable Slot slot;
    /** Whether records of the end of a lock may follow the record of the change. */
    private boolean mayBeFollowed;

    ChangeExecution(ZoneHost host, SlotTable slots, RecordedZone zone, SingleAnswer answer) {
        super(host, zone.of(), answer);
        this.slots = slots;
        this.zone = zone;
    }

    @Override
    void begin() {
        if (request.session == 0) {
            executeAdmitted();
        } else {
            executeOnce();
        }
    }

    /** Executes a change of a session, unless its slot knows the result already. */
    private void executeOnce() {
        final Slot entered = slots.enter(request.session, request.ticket(0));
        if (entered == SlotTable.IN_USE || entered == SlotTable.ENDED) {
            answer.code(entered == SlotTable.IN_USE ? OperationFormat.BUSY : OperationFormat.EXPIRED);
            return;
        }
        try {
            if (entered.isDone() || request.type == OperationType.RESERVE && entered.made() == request.length) {
                repeat(entered);
            } else {
                undo(entered);
                attach(entered);
                slot = entered;
                executeAdmitted();
            }
        } finally {
            entered.leave();
        }
    }

    private void executeAdmitted() {
        if (request.hasToken()) {
            executeAsHolder(slots);
        } else {
            executeNow();
        }
    }

    /** Answers with the result of the first execution. */
    private void repeat(Slot of) {
        if (of.hasChanged()) {
            answer.changed(of.result(), 0);
        } else {
            answer.read(of.code(), of.result(), 0);
        }
    }

    /** Gives back the CIDs of a reservation whose owner has failed in the middle; no client knows these CIDs. */
    private void undo(Slot of) {
        for (int i = 0; i < of.made(); i++) {
            store.ids().unreserve(of.result() + i);
        }
        of.unmade();
    }

    private void attach(Slot of) {
        final SlotWriter writer = zone.writer();
        switch (request.type) {
            case RESERVE -> writer.range(slots, of);
            case ADD -> writer.sum(slots, of, request.width, request.argument(0), request.argument(1));
            case CREATE -> writer.one(slots, of, SlotWriter.Result.CID);
            case COMPARE_AND_SET -> writer.one(slots, of, SlotWriter.Result.SUCCESS);
            case REMOVE -> writer.one(slots, of, SlotWriter.Result.LENGTH);
            case LOCK, UNLOCK, SWAP_LOCK -> { }                 // the table of locks does the same, for its own record
            default -> writer.one(slots, of, SlotWriter.Result.OK);
        }
    }

    @Override
    SlotTable slots() {
        return slots;
    }

    // ---- the operations ----

    @Override
    long run() {
        return switch (request.type) {
            case GROUP -> zone.changes().change(request.changes());
            case LOCK -> slots.locks().lock(zone, host.slotLog(), slot(), wish(), host.clock().nowNs());
            case SWAP_LOCK -> slots.locks().swap(zone, slot(), wish(), request.argument(2), host.clock().nowNs());
            case UNLOCK -> slots.locks().unlock(zone, slot(), request.cid, request.argument(0), host.clock().nowNs());
            default -> ChunkChanges.run(zone.store(), request);
        };
    }

    /** Returns the slot of a change of a lock, which always has a session. */
    private Slot slot() {
        return Objects.requireNonNull(slot);
    }

    private LockTable.Wish wish() {
        final boolean isWrite = request.argument(0) == OperationFormat.WRITE_LOCK;
        final long waiter = (long) request.session << Integer.SIZE | request.ticket(0) & 0xFFFF_FFFFL;
        return new LockTable.Wish(request.cid, request.session, waiter, isWrite, !request.givesUp, request.argument(1));
    }

    // ---- how it ends ----

    /** Ends the locks of a chunk after the removal by the holder. */
    @Override
    void ranAsHolder(long result) {
        final boolean hasRemoved = request.type == OperationType.REMOVE && !Status.isStatus(result)
            || request.type == OperationType.GROUP && result == Status.OK && store.size(request.lockedCid()) < 0;
        if (hasRemoved) {
            mayBeFollowed = true;
            slots.locks().removed(store, host.slotLog(), request.lockedCid(), host.clock().nowNs());
        }
    }

    @Override
    void done(long result) {
        if (result == Status.NOT_HELD && (request.type == OperationType.UNLOCK
            || request.type == OperationType.SWAP_LOCK)) {
            notHeld(slots, request.argument(request.type == OperationType.SWAP_LOCK ? 2 : 0));
            return;
        }
        final boolean isChanged = hasChanged(result);
        note(OperationFormat.DONE, result, isChanged);
        if (isChanged) {
            answer.changed(result, number());
        } else {
            answer.read(OperationFormat.DONE, result, 0);
        }
    }

    private boolean hasChanged(long result) {
        return switch (request.type) {
            case COMPARE_AND_SET -> result == 1;
            case GROUP -> result == Status.OK;
            case ADD -> true;
            default -> !Status.isStatus(result);
        };
    }

    /**
     * Returns the number of the change's own record. A change without a record has found the chunk as wished, perhaps
     * by the change of another client. Then the answer waits for all changes of the zone until now.
     */
    private long number() {
        return mayBeFollowed ? 0 : zone.writer().number();
    }

    @Override
    boolean isRecorded() {
        return slot != null && slot.isDone();
    }

    /** Answers a failure; if the failure came after the change, with the result of the change. */
    @Override
    void refused(StoreException e) {
        if (slot != null && slot.isDone()) {
            answer.changed(slot.result(), 0);
        } else {
            answer.refused(e);
        }
    }

    @Override
    void failed(int code, long result) {
        note(code, result, false);
        answer.read(code, result, 0);
    }

    /**
     * The slot keeps the refusal by a lock only if the client does not ask again with the same ticket. For a lock that
     * cannot be released yet, the client does ask again.
     */
    @Override
    void noteLocked() {
        if (request.givesUp && request.type != OperationType.UNLOCK) {
            note(OperationFormat.LOCKED, 0, false);
        }
    }

    private void note(int code, long result, boolean isChanged) {
        if (slot != null) {
            slot.answered(code, result, isChanged);
        }
    }
}
