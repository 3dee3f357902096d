package io.teff.engine;

import io.teff.engine.check.Arguments;
import io.teff.engine.check.Refusals;
import io.teff.engine.chunk.Changes;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.chunk.SteppedAccess;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.lock.LockIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Read and write locks on chunks.
 *
 * <p>A chunk's lock belongs to a thread (platform or virtual). It is real: while a thread holds the write lock, others'
 * operations on the chunk wait; while it holds a read lock, others' changes wait. Read locks may be taken again by
 * their holder, nothing else is reentrant: a thread that would wait for itself gets an {@link IllegalStateException}.
 * Writers go first: new readers stay out while a writer waits. Removing a chunk ends all its locks.
 *
 * <p>Timeouts are in nanoseconds: 0 tries once, {@link Long#MAX_VALUE} waits for ever. Interrupts do not end a wait.
 * Thread-safe.
 */
public final class Locks {
    private final ChunkSpace space;
    private final Changes changes;
    private final SteppedAccess stepped;
    /** Keeps the store open while only this object of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;

    Locks(StoreHandle handle, Core core) {
        this.handle = handle;
        this.space = core.space;
        this.changes = core.changes;
        this.stepped = core.changes.steps().stepped();
    }

    // ---- lock ----

    /**
     * Takes a read lock.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, ABSENT or LOCKED
     */
    public int lockRead(long cid, long timeoutNs) {
        return space.locks.lock(cid, false, timeoutNs);
    }

    /**
     * Takes the write lock.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    public int lockWrite(long cid, long timeoutNs) {
        return space.locks.lock(cid, true, timeoutNs);
    }

    /**
     * Ends the thread's write lock, or one of its read locks.
     *
     * @param cid the chunk
     * @return OK, ABSENT, or NOT_HELD
     */
    public int unlock(long cid) {
        return space.locks.unlock(cid);
    }

    /**
     * Swaps a read lock of the thread for the write lock; no other writer comes in between. Further read locks that it
     * has on the chunk sleep until the write lock ends.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait for other readers, in nanoseconds
     * @return OK, ABSENT, NOT_HELD, or LOCKED if other readers stay or another thread waits for the same
     */
    public int swapToWrite(long cid, long timeoutNs) {
        return space.locks.swap(cid, true, timeoutNs);
    }

    /**
     * Swaps the thread's write lock for a read lock; never waits.
     *
     * @param cid the chunk
     * @return OK or NOT_HELD
     */
    public int swapToRead(long cid) {
        return space.locks.swap(cid, false, 0);
    }

    /**
     * Tells whether the calling thread holds the write lock.
     *
     * @param cid the chunk
     * @return whether it does
     */
    public boolean isWriteHeld(long cid) {
        return space.locks.isHeld(cid, true);
    }

    /**
     * Tells whether the calling thread holds a read lock.
     *
     * @param cid the chunk
     * @return whether it does
     */
    public boolean isReadHeld(long cid) {
        return space.locks.isHeld(cid, false);
    }

    /**
     * Takes a lock for a try-with-resources block.
     *
     * @param cid the chunk
     * @param write for the thread alone, or shared
     * @param timeoutNs longest wait in nanoseconds
     * @return the lock, or empty if it was not to be had in time
     * @throws java.util.NoSuchElementException if there is no such chunk
     */
    public Optional<ChunkLock> hold(long cid, boolean write, long timeoutNs) {
        int result = space.locks.lock(cid, write, timeoutNs);
        if (result == Status.LOCKED) {
            return Optional.empty();
        }
        if (result != Status.OK) {
            throw Refusals.of(cid, result);
        }
        return Optional.of(new ChunkLock(handle, space, cid));
    }

    // ---- operations with lock steps ----

    /**
     * Gets a chunk, with lock steps before and after, all in one atomic step.
     *
     * @param cid the chunk
     * @param target where to
     * @param offset first index
     * @param before NONE, LOCK_READ, LOCK_WRITE or SWAP_TO_WRITE
     * @param after NONE, UNLOCK or SWAP_TO_READ
     * @param timeoutNs longest wait in nanoseconds
     * @return the length, or a status; then nothing happened to the lock, except that TOO_SMALL keeps what {@code
     *     before} took
     */
    public int get(long cid, byte[] target, int offset, LockStep before, LockStep after, long timeoutNs) {
        Arguments.checkRange(target.length, offset, 0);
        return stepped.get(cid, target, offset, before, after, timeoutNs);
    }

    /**
     * Overwrites a chunk with content of the same length, with lock steps before and after, all in one atomic step.
     *
     * @param cid the chunk
     * @param source where from
     * @param offset first index
     * @param length must be the chunk's length
     * @param before NONE, LOCK_WRITE or SWAP_TO_WRITE
     * @param after NONE, UNLOCK or SWAP_TO_READ
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, or a status; OUT_OF_RANGE for another length keeps what {@code before} took
     */
    public int put(long cid, byte[] source, int offset, int length, LockStep before, LockStep after, long timeoutNs) {
        Arguments.checkRange(source.length, offset, length);
        return changes.put(cid, source, offset, length, before, after, timeoutNs);
    }

    /**
     * Makes a chunk that the calling thread holds from the first moment.
     *
     * @param source its content
     * @param offset first index
     * @param length bytes
     * @param write hold it for the thread alone, or shared
     * @return the CID, or FULL
     */
    public long create(byte[] source, int offset, int length, boolean write) {
        return changes.createHeld(source, offset, length, write ? LockIntent.WRITE_LOCK : LockIntent.READ_LOCK);
    }

    /**
     * Takes the write lock and removes the chunk in one step, so that nobody changes it in between.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return the removed length, or a status
     */
    public long remove(long cid, long timeoutNs) {
        return changes.remove(cid, timeoutNs);
    }

    // ---- look ----

    /**
     * A chunk that is locked, pinned or waited for.
     *
     * @param cid the chunk
     * @param writer name of the thread that holds the write lock, or "" for none
     * @param readers names of the threads that hold read locks, one per lock
     * @param pins number of pins
     * @param waiters number of threads that wait
     */
    public record LockInfo(long cid, String writer, List<String> readers, int pins, int waiters) {}

    /**
     * Lists every chunk that is locked, pinned or waited for, to find deadlocks and forgotten locks.
     *
     * @return what was seen, stripe by stripe
     */
    public List<LockInfo> list() {
        List<LockInfo> infos = new ArrayList<>();
        space.locks.forEach(false, (cid, writer, readers, pins, waiters) -> {
            List<String> names = new ArrayList<>();
            for (Thread reader : readers) {
                names.add(describe(reader));
            }
            infos.add(new LockInfo(cid, writer == null ? "" : describe(writer), names, pins, waiters));
        });
        return infos;
    }

    private static String describe(Thread thread) {
        return thread.getName() + "#" + thread.threadId();
    }
}
