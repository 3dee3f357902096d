package io.teff.engine.chunk;

import io.teff.engine.check.Arguments;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.journal.Journal;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.table.Zone;
import io.teff.engine.view.EditScope;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs changes of single chunks, in four steps:
 * <pre>
 *  room     wait until the journal has room for the record; the thread holds nothing       Changes
 *  change   change memory and entry, inside the chunk's stripe or under its lock           ChangeSteps
 *  record   write the new state to the journal, inside the same stripe                     ChangeSteps
 *  safety   wait until the record is as durable as configured; the thread holds nothing    Changes
 * </pre>
 * Every public operation that changes chunks is run by this class, by {@link BatchChanges}, or, for collections, whose
 * changes are recorded in groups, by {@link GroupedChunks}. In a store without a journal, the first and the last step
 * are one null check each. A change that failed with a status has no record, and the thread does not wait.
 *
 * <p>{@link #submit} is the form that does not block the thread in the last step. Thread-safe.
 */
public final class Changes {
    private final @Nullable Journal journal;
    private final ChangeLog log;
    private final Upkeep upkeep;
    private final ChunkSpace space;
    private final Creates creates;
    private final Writes writes;
    private final FieldWrites fields;
    private final Scopes scopes;
    private final SteppedAccess stepped;
    private final ChangeSteps steps;

    /**
     * Creates the changes of a store.
     *
     * @param space the store's chunks
     * @param zone the zone in which chunks are created
     * @param reads reads chunks
     * @param log records single changes
     * @param upkeep work that is due after changes
     */
    public Changes(ChunkSpace space, Zone zone, Reads reads, ChangeLog log, Upkeep upkeep) {
        this.space = space;
        this.log = log;
        this.upkeep = upkeep;
        this.journal = log.journal();
        this.creates = new Creates(space, zone, log, upkeep);
        this.writes = new Writes(space, reads, creates, log, upkeep);
        this.fields = new FieldWrites(space, log);
        this.scopes = new Scopes(space, log);
        this.stepped = new SteppedAccess(space, log);
        this.steps = new ChangeSteps(creates, writes, fields, scopes, stepped);
    }

    // ---- the first and the last step ----

    /** Receives the result of a submitted change. */
    @FunctionalInterface
    public interface Completion {
        /**
         * Called once, when the change is as durable as the store is configured to make it, or can no longer become so.
         * May be called on a thread of the journal, which must not be blocked.
         *
         * @param result result of the change
         * @param failure null, or the exception of {@link Journal#done}: the change was made in memory, but may be lost
         */
        void completed(long result, @Nullable RuntimeException failure);
    }

    /**
     * Makes a change, and calls back when it is as durable as the store is configured to make it. Does not wait for
     * that; may wait, before the change is made, for room in the journal and for a cleaner that an earlier change of
     * the calling thread made fall behind. The caller limits the number of its changes that have not called back.
     *
     * @param change makes one change and returns its result, a value or a status; if it throws, this method throws the
     *     exception and does not call back
     * @param then called back; if there is nothing to wait for, before this method returns
     */
    public void submit(ToLongFunction<ChangeSteps> change, Completion then) {
        begin();
        final long result = change.applyAsLong(steps);
        if (journal == null || Status.isStatus(result)) {
            then.completed(result, null);
        } else {
            journal.whenDone(failure -> then.completed(result, failure));
        }
    }

    /** {@return the operations without the first and the last step} */
    public ChangeSteps steps() {
        return steps;
    }

    /** Waits for room for a record. */
    void begin() {
        if (journal != null) {
            space.stripes.checkOpen();                          // a closed store is named as such, not its journal
            journal.begin();
        }
    }

    /** Waits for room for a record of a removal. */
    void beginRemoval() {
        if (journal != null) {
            space.stripes.checkOpen();
            journal.beginRemoval();
        }
    }

    /** Waits until the thread's records are as durable as configured, and returns the result. */
    int done(int result) {
        if (journal != null && !Status.isStatus(result)) {
            journal.done();
        }
        return result;
    }

    private long done(long result) {
        if (journal != null && !Status.isStatus(result)) {
            journal.done();
        }
        return result;
    }

    // ---- create ----

    /** Creates a chunk with content, or of zeros without a source; returns its CID or FULL. */
    public long create(@Nullable Object source, long offset, long length, int state) {
        check(source, offset, length);
        begin();
        long result = creates.create(source, offset, length, state);
        if (result == Status.FULL) {
            result = upkeep.repeat(() -> creates.create(source, offset, length, state));
        }
        return done(result);
    }

    /** Creates a chunk that the calling thread holds; returns its CID or FULL. */
    public long createHeld(@Nullable Object source, long offset, long length, LockIntent hold) {
        check(source, offset, length);
        begin();
        long result = creates.createHeld(source, offset, length, hold);
        if (result == Status.FULL) {
            result = upkeep.repeat(() -> creates.createHeld(source, offset, length, hold));
        }
        return done(result);
    }

    /** Creates a chunk at a given CID; returns OK or a status. */
    public int createAt(long cid, @Nullable Object source, long offset, long length, int state) {
        check(source, offset, length);
        begin();
        int result = creates.createAt(cid, source, offset, length, state);
        if (result == Status.FULL) {
            result = (int) upkeep.repeat(() -> creates.createAt(cid, source, offset, length, state));
        }
        return done(result);
    }

    private static void check(@Nullable Object source, long offset, long length) {
        if (source != null) {
            Buffers.check(source, offset, length);
        }
    }

    /** Reserves a CID; returns it or FULL. */
    public long reserve() {
        begin();
        return done(creates.reserve());
    }

    /** Reserves consecutive CIDs; returns OK or FULL. */
    public int reserve(long[] cids, int from, int count) {
        begin();
        return done(creates.reserve(cids, from, count));
    }

    /** Ends the reservation of a CID; returns OK or ABSENT. */
    public int unreserve(long cid) {
        beginRemoval();
        return done(creates.unreserve(cid));
    }

    // ---- change and remove ----

    /** Replaces a chunk's content; returns OK or a status. */
    public int put(long cid, Object source, long offset, long length) {
        Buffers.check(source, offset, length);
        begin();
        int result = writes.put(cid, source, offset, length);
        if (result == Status.FULL) {
            result = (int) upkeep.repeat(() -> writes.put(cid, source, offset, length));
        }
        return done(result);
    }

    /** Replaces a chunk's content by content of equal length, between two lock steps; returns OK or a status. */
    public int put(long cid, byte[] source, int offset, int length, LockStep before, LockStep after, long timeoutNs) {
        begin();
        return done(stepped.put(cid, source, offset, length, before, after, timeoutNs));
    }

    /** Writes a part of a chunk; returns OK or a status. */
    public int putBytes(long cid, long chunkOffset, Object source, long offset, long length) {
        Buffers.check(source, offset, length);
        begin();
        return done(writes.putBytes(cid, chunkOffset, source, offset, length));
    }

    /** Changes a chunk's length; returns OK or a status. */
    public int resize(long cid, long length) {
        Arguments.checkLength(length);
        begin();
        int result = writes.resize(cid, length);
        if (result == Status.FULL) {
            result = (int) upkeep.repeat(() -> writes.resize(cid, length));
        }
        return done(result);
    }

    /** Removes a chunk; returns its length or a status. */
    public long remove(long cid) {
        beginRemoval();
        return done(writes.remove(cid));
    }

    /** Removes a chunk, waiting for a lock up to a timeout; returns its length or a status. */
    public long remove(long cid, long timeoutNs) {
        beginRemoval();
        return done(writes.remove(cid, timeoutNs));
    }

    /** Makes a chunk read-only; returns OK or a status. */
    public int seal(long cid) {
        begin();
        return done(writes.seal(cid));
    }

    /** Reads and writes a chunk in place under an exclusive hold; returns its length or a status. */
    public long edit(long cid, EditScope scope) {
        begin();
        return done(scopes.edit(cid, scope));
    }

    // ---- fields ----

    /** Writes a value of 1, 2, 4 or 8 bytes; returns OK or a status. */
    public int putField(long cid, long offset, int bytes, long value) {
        begin();
        return done(fields.write(cid, offset, bytes, value));
    }

    /** Replaces a value if it equals the expected one; returns 1 if replaced, 0 if not, or a status. */
    public int compareAndSetField(long cid, long offset, int bytes, long expected, long update) {
        begin();
        return done(fields.compareAndSet(cid, offset, bytes, expected, update));
    }

    /**
     * Adds to a value; returns the previous value. A status is thrown as an exception, because every {@code long} can
     * be a value.
     */
    public long getAndAddField(long cid, long offset, int bytes, long delta) {
        begin();
        final long before = fields.getAndAdd(cid, offset, bytes, delta);
        done(Status.OK);
        return before;
    }

    // ---- pins ----

    /**
     * Ends a pin, also if the content of its chunk cannot be recorded.
     *
     * @param cid the chunk
     * @param isWritten whether the memory may have been written through the pin
     * @return OK or NOT_HELD
     */
    public int unpin(long cid, boolean isWritten) {
        boolean isRecorded = false;
        int status;
        try {
            isRecorded = isWritten && log.recordPinned(cid);    // waits for room itself: memory has changed already
        } finally {
            status = space.locks.unpin(cid);
        }
        return isRecorded ? done(status) : status;
    }
}
