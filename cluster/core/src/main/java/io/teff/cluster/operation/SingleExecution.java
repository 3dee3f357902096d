package io.teff.cluster.operation;

import io.teff.cluster.slot.LockTable;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.ZoneLock;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Executes one operation on a single chunk. The subclasses know the operations; this class knows how an operation may
 * end: with a result, with a lock in the way, with a token that is not accepted, or refused. Used once.
 */
abstract class SingleExecution {
    final ZoneHost host;
    final OperationRequest request;
    /** The view of the zone that the host serves. */
    final ChunkStore store;
    final SingleAnswer answer;

    SingleExecution(ZoneHost host, ChunkStore store, SingleAnswer answer) {
        this.host = host;
        request = answer.request();
        this.store = store;
        this.answer = answer;
    }

    /** Executes the operation, and answers. */
    final void execute() {
        try {
            begin();
        } catch (StoreException e) {
            answer.refused(e);
        } catch (StoreClosedException | ZoneDroppedException e) {
            answer.code(OperationFormat.DEPOSED);
        }
    }

    /** Begins the operation: calls {@link #executeNow()} or {@link #executeAsHolder} if there is something to do. */
    abstract void begin();

    /** Executes an operation without a token, and answers. */
    final void executeNow() {
        executeNow(null);
    }

    /** Executes an operation as the holder of a lock, only if the token of the operation names a held lock. */
    final void executeAsHolder(SlotTable slots) {
        final LockTable locks = slots.locks();
        final ZoneLock held = locks.enter(request.lockedCid(), request.token, host.clock().nowNs());
        if (held != null) {
            executeNow(held);
        } else if (isSettled(slots, request.lockedCid(), request.token)) {
            answer.recorded(OperationFormat.FENCED, 0, 0);
        }
    }

    private void executeNow(@Nullable ZoneLock held) {
        final long result;
        try {
            result = held == null ? run() : runAs(held);
        } catch (StoreException e) {
            if (e.status() == Status.LOCKED && !isRecorded()) {
                locked();
            } else {
                refused(e);
            }
            return;
        } catch (IndexOutOfBoundsException e) {
            failed(OperationFormat.OUTSIDE, Status.OUT_OF_RANGE);
            return;
        } catch (NoSuchElementException e) {
            failed(OperationFormat.ABSENT, Status.ABSENT);
            return;
        }
        if (result == Status.LOCKED && isStatusOf(request.type)) {
            locked();
        } else {
            done(result);
        }
    }

    /** Executes an operation of the holder of a lock, which {@link LockTable#enter} has admitted. */
    private long runAs(ZoneLock held) {
        final long result;
        held.act();
        try {
            result = run();
        } finally {
            held.leave();
        }
        ranAsHolder(result);
        return result;
    }

    /** Returns whether LOCKED is a status of an operation, and not a value. */
    private static boolean isStatusOf(OperationType type) {
        return type != OperationType.GET_FIELD && type != OperationType.ADD;
    }

    /**
     * Answers that nothing was done because of a lock. Ends locks of the chunk whose leases are over.
     */
    private void locked() {
        noteLocked();
        final SlotTable slots = slots();
        if (slots != null) {
            try {
                slots.locks().expire(store, host.slotLog(), request.cid, host.clock().nowNs());
            } catch (StoreException e) {                        // the peer has ended meanwhile
                answer.refused(e);
                return;
            }
        }
        answer.code(request.type == OperationType.UNLOCK ? OperationFormat.BUSY : OperationFormat.LOCKED);
    }

    /** Answers that a token names no held lock. */
    final void notHeld(SlotTable slots, long token) {
        if (isSettled(slots, request.cid, token)) {
            answer.recorded(OperationFormat.DONE, Status.NOT_HELD, 0);
        }
    }

    /**
     * Ends the lock of a token that is refused, before the client learns of the refusal; the next owner would begin the
     * lease of the lock anew. Returns false if another answer was sent.
     */
    private boolean isSettled(SlotTable slots, long cid, long token) {
        try {
            if (slots.locks().settle(store, host.slotLog(), cid, token, host.clock().nowNs())) {
                return true;
            }
        } catch (StoreException e) {                            // the peer has ended meanwhile
            answer.refused(e);
            return false;
        }
        answer.code(OperationFormat.BUSY);
        return false;
    }

    // ---- what differs ----

    /** Returns the slots of the zone, or null if the host does not serve the zone any more. */
    abstract @Nullable SlotTable slots();

    /** Executes the operation and returns its result, a value or a status. */
    abstract long run();

    /** Called after the operation of the holder of a lock. */
    abstract void ranAsHolder(long result);

    /** Answers with a result that is not LOCKED. */
    abstract void done(long result);

    /** Returns whether the slot of the request has a result, although the operation has failed. */
    abstract boolean isRecorded();

    /** Answers that the store has refused the operation. */
    abstract void refused(StoreException e);

    /** Answers that the operation is impossible. */
    abstract void failed(int code, long result);

    /** Notes that a lock was in the way. */
    abstract void noteLocked();
}
