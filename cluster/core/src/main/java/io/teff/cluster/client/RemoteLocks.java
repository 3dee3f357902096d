package io.teff.cluster.client;

import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.client.HeldLocks.Hold;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.ChunkLock;
import io.teff.engine.Cid;
import io.teff.engine.LockOperations;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks of chunks of a cluster: taking or releasing a lock is a change of the chunk's zone, and the change is backed
 * up. The owner of the zone answers at once whether a lock is free; a waiting thread asks again. Thread-safe.
 */
final class RemoteLocks implements LockOperations {
    private final RemoteStore store;
    private final ClusterClient client;
    private final WriteLevel level;
    private final HeldLocks held;
    private final Call.Source calls;

    RemoteLocks(RemoteStore store, ClusterClient client, WriteLevel level, Call.Source calls) {
        this.calls = calls;
        this.store = store;
        this.client = client;
        this.level = level;
        held = client.heldLocks();
    }

    // ---- lock ----

    @Override
    public int lockRead(long cid, long timeoutNs) {
        client.checkOpen();
        final Hold hold = intact(cid);
        if (hold == null) {
            return lock(cid, false, timeoutNs);
        }
        if (hold.isWrite) {
            throw waitsForItself(cid);
        }
        hold.reads = hold.reads + 1;
        return Status.OK;
    }

    @Override
    public int lockWrite(long cid, long timeoutNs) {
        client.checkOpen();
        if (intact(cid) != null) {
            throw waitsForItself(cid);
        }
        return lock(cid, true, timeoutNs);
    }

    /** Returns the thread's lock, or null without a lock; throws if the lock is lost. */
    private @Nullable Hold intact(long cid) {
        final Hold hold = held.find(cid);
        if (hold != null && hold.isLost()) {
            throw hold.lost();
        }
        return hold;
    }

    private static IllegalStateException waitsForItself(long cid) {
        return new IllegalStateException("thread " + Thread.currentThread().getName() + " already holds chunk "
            + Cid.toString(cid) + "; locks are not reentrant, use swap to change a read lock");
    }

    private int lock(long cid, boolean isWrite, long timeoutNs) {
        final RequestBytes bytes = RequestBytes.once().begin(OperationType.LOCK, level, 0, 0, 0, cid)
            .putLong(isWrite ? OperationFormat.WRITE_LOCK : 0).putLong(held.leaseNs());
        try (Call call = calls.call(OperationType.LOCK, cid).waitForLocks(timeoutNs)) {
            final long result = client.send(call, OperationType.LOCK, cid, bytes, false).result();
            if (Status.isStatus(result)) {
                return (int) result;
            }
            held.taken(cid, result, isWrite, call.attemptNs());
            return Status.OK;
        }
    }

    @Override
    public int unlock(long cid) {
        client.checkOpen();
        final Hold hold = held.find(cid);
        if (hold == null) {
            return store.exists(cid) ? Status.NOT_HELD : Status.ABSENT;
        }
        if (!hold.isLost() && hold.reads > (hold.isWrite ? 0 : 1)) {
            if (hold.isWrite) {                                 // the remaining read locks of the thread are back
                return swap(hold, false, 0);
            }
            hold.reads = hold.reads - 1;
            return Status.OK;
        }
        held.forget(cid);
        if (hold.isLost()) {
            return store.exists(cid) ? Status.NOT_HELD : Status.ABSENT;
        }
        final RequestBytes bytes = RequestBytes.once().begin(OperationType.UNLOCK, level, 0, 0, 0, cid)
            .putLong(hold.token);
        try (Call call = calls.call(OperationType.UNLOCK, cid)) {
            return (int) client.send(call, OperationType.UNLOCK, cid, bytes, false).result();
        }
    }

    // ---- swap ----

    @Override
    public int swapToWrite(long cid, long timeoutNs) {
        client.checkOpen();
        final Hold hold = intact(cid);
        if (hold == null || hold.isWrite) {
            return hold == null && !store.exists(cid) ? Status.ABSENT : Status.NOT_HELD;
        }
        final int result = swap(hold, true, timeoutNs);
        if (result == Status.OK) {
            hold.reads = hold.reads - 1;
        }
        return result;
    }

    @Override
    public int swapToRead(long cid) {
        client.checkOpen();
        final Hold hold = intact(cid);
        if (hold == null || !hold.isWrite) {
            return Status.NOT_HELD;
        }
        final int result = swap(hold, false, 0);
        if (result == Status.OK) {
            hold.reads = hold.reads + 1;
        }
        return result;
    }

    /** Exchanges the lock at the owner; the caller counts the read locks. */
    private int swap(Hold hold, boolean toWrite, long timeoutNs) {
        final RequestBytes bytes = RequestBytes.once().begin(OperationType.SWAP_LOCK, level, 0, 0, 0, hold.cid)
            .putLong(toWrite ? OperationFormat.WRITE_LOCK : 0).putLong(held.leaseNs()).putLong(hold.token);
        held.beginSwap(hold);
        try (Call call = calls.call(OperationType.SWAP_LOCK, hold.cid).waitForLocks(timeoutNs)) {
            final long result = client.send(call, OperationType.SWAP_LOCK, hold.cid, bytes, false).result();
            if (result == Status.NOT_HELD) {
                throw held.lost(hold.cid);
            }
            if (Status.isStatus(result)) {
                return (int) result;
            }
            held.swapped(hold, result, toWrite, call.attemptNs());
            return Status.OK;
        } finally {
            held.endSwap(hold);
        }
    }

    // ---- asking ----

    @Override
    public boolean isWriteHeld(long cid) {
        return held.isHeld(cid, true);
    }

    @Override
    public boolean isReadHeld(long cid) {
        return held.isHeld(cid, false);
    }

    @Override
    public Optional<ChunkLock> hold(long cid, boolean write, long timeoutNs) {
        final int result = write ? lockWrite(cid, timeoutNs) : lockRead(cid, timeoutNs);
        return switch (result) {
            case Status.LOCKED -> Optional.empty();
            case Status.OK -> Optional.of(new ChunkLock(this, cid));
            case Status.ABSENT -> throw new NoSuchElementException("chunk " + Cid.toString(cid) + " does not exist");
            default -> throw StoreException.refused("chunk " + Cid.toString(cid) + " refused: " + Status.name(result),
                result);
        };
    }

    // ---- operations with steps ----

    /** Takes the step before an operation; returns OK or a status. */
    private int before(long cid, LockStep step, long timeoutNs) {
        return switch (step) {
            case NONE -> Status.OK;
            case LOCK_READ -> lockRead(cid, timeoutNs);
            case LOCK_WRITE -> lockWrite(cid, timeoutNs);
            case SWAP_TO_WRITE -> swapToWrite(cid, timeoutNs);
            default -> throw new IllegalArgumentException("before=" + step + " is a step after an operation");
        };
    }

    private static void checkAfter(LockStep step) {
        if (step != LockStep.NONE && step != LockStep.UNLOCK && step != LockStep.SWAP_TO_READ) {
            throw new IllegalArgumentException("after=" + step + " is a step before an operation");
        }
    }

    /** Returns whether the thread has the lock needed by the step after an operation. */
    private boolean isPossible(long cid, LockStep after) {
        final Hold hold = held.find(cid);
        return after == LockStep.NONE || hold != null && (after == LockStep.UNLOCK || hold.isWrite);
    }

    private int after(long cid, LockStep step) {
        return switch (step) {
            case UNLOCK -> unlock(cid);
            case SWAP_TO_READ -> swapToRead(cid);
            default -> Status.OK;
        };
    }

    /** Takes back the step before an operation, because the operation was not done. */
    private void undo(long cid, LockStep step) {
        switch (step) {
            case LOCK_READ, LOCK_WRITE -> unlock(cid);
            case SWAP_TO_WRITE -> swapToRead(cid);
            default -> { }
        }
    }

    @Override
    public int get(long cid, byte[] target, int offset, LockStep before, LockStep after, long timeoutNs) {
        Objects.checkFromIndexSize(offset, 0, target.length);
        checkAfter(after);
        if (before == LockStep.LOCK_READ && after == LockStep.SWAP_TO_READ) {
            throw new IllegalArgumentException("before=LOCK_READ leaves no write lock for after=SWAP_TO_READ");
        }
        try (Call whole = client.call("GET with steps of locks")) {
            return store.within(whole).remoteLocks().getNow(cid, target, offset, before, after, timeoutNs);
        }
    }

    private int getNow(long cid, byte[] target, int offset, LockStep before, LockStep after, long timeoutNs) {
        final int entered = before(cid, before, timeoutNs);
        if (entered != Status.OK) {
            return entered;
        }
        final int length = isPossible(cid, after) ? store.get(cid, target, offset, timeoutNs)
            : store.exists(cid) ? Status.NOT_HELD : Status.ABSENT;
        return finish(cid, length, length == Status.TOO_SMALL, before, after);
    }

    @Override
    public int put(long cid, byte[] source, int offset, int length, LockStep before, LockStep after, long timeoutNs) {
        Objects.checkFromIndexSize(offset, length, source.length);
        checkAfter(after);
        if (before == LockStep.LOCK_READ) {
            throw new IllegalArgumentException("before=LOCK_READ does not allow a put");
        }
        try (Call whole = client.call("PUT with steps of locks")) {
            return store.within(whole).remoteLocks().putNow(cid, source, offset, length, before, after, timeoutNs);
        }
    }

    private int putNow(long cid, byte[] source, int offset, int length, LockStep before, LockStep after,
                       long timeoutNs) {
        final int entered = before(cid, before, timeoutNs);
        if (entered != Status.OK) {
            return entered;
        }
        final long size = store.size(cid);
        final int result = size < 0 ? (int) size : !isPossible(cid, after) ? Status.NOT_HELD
            : size != length ? Status.OUT_OF_RANGE : store.putBytes(cid, source, offset, length, timeoutNs);
        return finish(cid, result, result == Status.OUT_OF_RANGE, before, after);
    }

    private int finish(long cid, int result, boolean keepsLock, LockStep before, LockStep after) {
        if (!Status.isStatus(result)) {
            after(cid, after);
        } else if (!keepsLock) {
            undo(cid, before);
        }
        return result;
    }

    @Override
    public long create(byte[] source, int offset, int length, boolean write) {
        try (Call whole = client.call("CREATE of a locked chunk")) {
            return store.within(whole).remoteLocks().createNow(source, offset, length, write);
        }
    }

    private long createNow(byte[] source, int offset, int length, boolean write) {
        final long cid = store.create(source, offset, length);
        if (Status.isStatus(cid)) {
            return cid;
        }
        boolean isLocked = false;
        try {
            final int result = lock(cid, write, 0);             // no other thread knows the chunk
            isLocked = result == Status.OK;
            if (!isLocked) {
                throw StoreException.refused("new chunk " + Cid.toString(cid) + " refused: " + Status.name(result),
                    result);
            }
            return cid;
        } finally {
            if (!isLocked) {
                removeNew(cid);
            }
        }
    }

    /** Removes a chunk that no other thread knows. */
    private void removeNew(long cid) {
        try {
            store.remove(cid);
        } catch (StoreException e) {
            throw new UnknownOutcomeException("new chunk " + Cid.toString(cid) + " exists, and is not locked: it could"
                + " neither be locked nor removed in time", e);
        }
    }

    @Override
    public long remove(long cid, long timeoutNs) {
        return store.remove(cid, timeoutNs);
    }
}
