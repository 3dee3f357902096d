package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.check.Refusals;
import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.chunk.SteppedAccess;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.LockIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operations of {@link LockOperations} on chunks of this store, and a list of the current locks. Thread-safe.
 */
public final class Locks implements LockOperations {
    private final ChunkSpace space;
    private final Changes changes;
    private final SteppedAccess stepped;
    /** Keeps the store reachable, and therefore open, while the application can reach this object. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Locks(StoreHandle handle, Core core) {
        this.handle = handle;
        this.space = core.space;
        this.changes = core.changes;
        this.stepped = core.changes.steps().stepped();
    }

    // ---- lock ----

    @Override
    public int lockRead(long cid, long timeoutNs) {
        return space.locks.lock(cid, false, timeoutNs);
    }

    @Override
    public int lockWrite(long cid, long timeoutNs) {
        return space.locks.lock(cid, true, timeoutNs);
    }

    @Override
    public int unlock(long cid) {
        return space.locks.unlock(cid);
    }

    @Override
    public int swapToWrite(long cid, long timeoutNs) {
        return space.locks.swap(cid, true, timeoutNs);
    }

    @Override
    public int swapToRead(long cid) {
        return space.locks.swap(cid, false, 0);
    }

    @Override
    public boolean isWriteHeld(long cid) {
        return space.locks.isHeld(cid, true);
    }

    @Override
    public boolean isReadHeld(long cid) {
        return space.locks.isHeld(cid, false);
    }

    @Override
    public Optional<ChunkLock> hold(long cid, boolean write, long timeoutNs) {
        int result = space.locks.lock(cid, write, timeoutNs);
        if (result == Status.LOCKED) {
            return Optional.empty();
        }
        if (result != Status.OK) {
            throw Refusals.of(cid, result);
        }
        return Optional.of(new ChunkLock(this, cid));
    }

    // ---- operations with lock steps ----

    @Override
    public int get(long cid, byte[] target, int offset, LockStep before, LockStep after, long timeoutNs) {
        Arguments.checkRange(target.length, offset, 0);
        return stepped.get(cid, target, offset, before, after, timeoutNs);
    }

    @Override
    public int put(long cid, byte[] source, int offset, int length, LockStep before, LockStep after, long timeoutNs) {
        Arguments.checkRange(source.length, offset, length);
        return changes.put(cid, source, offset, length, before, after, timeoutNs);
    }

    @Override
    public long create(byte[] source, int offset, int length, boolean write) {
        return changes.createHeld(source, offset, length, write ? LockIntent.WRITE_LOCK : LockIntent.READ_LOCK);
    }

    @Override
    public long remove(long cid, long timeoutNs) {
        return changes.remove(cid, timeoutNs);
    }

    /**
     * Releases the locks on a chunk of threads that have ended without a release. Such a lock stays until this call,
     * because the thread may have left the chunk, or related chunks, in the middle of a change: the caller should check
     * these chunks. {@link #list} names the threads. Locks of living threads are not changed.
     *
     * @param cid the chunk
     * @return the number of released locks
     */
    public int releaseEnded(long cid) {
        return space.locks.releaseEnded(cid);
    }

    // ---- diagnosis ----

    /**
     * A chunk that is locked or pinned, or for which threads wait.
     *
     * @param cid the chunk
     * @param writer name and id of the thread that holds the write lock, as {@code name#id}, followed by
     *     {@code " (ended)"} if the thread has ended; empty if there is none
     * @param readers names and ids of the threads that hold read locks, likewise, one element per lock
     * @param pins number of pins
     * @param waiters number of threads that wait
     */
    public record LockInfo(long cid, String writer, List<String> readers, int pins, int waiters) {}

    /**
     * Lists the chunks that are locked or pinned, or for which threads wait, to find deadlocks and leaked locks.
     *
     * @return the chunks; the locks of each stripe are read atomically, the list as a whole is not
     */
    public List<LockInfo> list() {
        List<LockInfo> infos = new ArrayList<>();
        space.locks.forEach(false, (cid, writer, readers, pins, waiters) -> {
            List<String> names = new ArrayList<>();
            for (Object reader : readers) {
                names.add(ChunkLocks.describe(reader));
            }
            infos.add(new LockInfo(cid, writer == null ? "" : ChunkLocks.describe(writer), names, pins, waiters));
        });
        return infos;
    }
}
