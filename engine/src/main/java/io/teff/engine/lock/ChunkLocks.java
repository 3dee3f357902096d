package io.teff.engine.lock;

import io.teff.engine.error.Status;
import io.teff.engine.event.LockWaitEvent;
import io.teff.engine.lock.LockRecord.Waiter;
import io.teff.engine.os.Clock;
import io.teff.engine.os.KeptInterrupt;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import org.jspecify.annotations.Nullable;

/**
 * Explicit locks, pins, and the admission check of every operation inside a stripe.
 *
 * <p>A locked, pinned or awaited chunk has a {@link LockRecord} in its stripe's list, and its entry is SHARED,
 * EXCLUSIVE or READ_ONLY_SHARED; without a record it is PLAIN or READ_ONLY. Both change together inside the stripe
 * ({@link #settle}), so an optimistic reader that saw a readable entry is correct if its stripe did not change.
 *
 * <p>A thread that must wait adds a waiter to the record, leaves the stripe, spins on the waiter's flag, then parks. A
 * thread that changes a record wakes the waiters that may proceed. A waiter keeps its turn until its thread is done: a
 * writer that finds the chunk taken again looks at short intervals, until the record makes it the heir. A waiter that
 * ends for any reason wakes others, too, so no wake-up is lost with a waiter that timed out. Interrupts do not end a
 * wait; the thread's interrupt flag is restored.
 *
 * <p>All methods are thread-safe. Locks belong to {@link Thread#currentThread()}, platform or virtual, or to the
 * {@link Holder} for which the thread acts.
 */
public final class ChunkLocks {
    private static final int SPINS = 256;
    private static final int YIELDS = 16;
    /** Time between two looks of a waiter that was woken and found the chunk taken, at first and at most. */
    private static final long POLL_NS_MIN = 20_000;
    private static final long POLL_NS_MAX = 320_000;

    private final Stripes stripes;
    private final EntryWords entries;
    private final Clock clock;
    private final @Nullable LockRecord[] heads;
    private final @Nullable LockRecord[] spares;

    /**
     * Creates a lock table without locks.
     *
     * @param stripes the store's stripes
     * @param entries the chunk table
     * @param clock used for waiting
     */
    public ChunkLocks(Stripes stripes, EntryWords entries, Clock clock) {
        this.stripes = stripes;
        this.entries = entries;
        this.clock = clock;
        this.heads = new LockRecord[stripes.count()];
        this.spares = new LockRecord[stripes.count()];
    }

    // ---- explicit locks ----

    /**
     * Locks a chunk for the calling thread.
     *
     * @param cid the chunk
     * @param write true for the exclusive hold, false for a read hold
     * @param timeoutNs longest wait; 0 tries once
     * @return OK, ABSENT, LOCKED, or READ_ONLY for a write lock
     * @throws IllegalStateException if the thread's own lock on the chunk would make it wait for itself
     */
    public int lock(long cid, boolean write, long timeoutNs) {
        return passThrough(cid, write ? LockIntent.WRITE_LOCK : LockIntent.READ_LOCK, timeoutNs);
    }

    private int passThrough(long cid, LockIntent intent, long timeoutNs) {
        int entered = enter(cid, intent, timeoutNs);
        if (entered == Status.OK) {
            leave(cid);
        }
        return entered;
    }

    /**
     * Ends the exclusive hold, or one read hold, of the calling thread.
     *
     * @param cid the chunk
     * @return OK, ABSENT, or NOT_HELD
     */
    public int unlock(long cid) {
        stripes.enter(stripes.of(cid));
        try {
            return unlockInside(cid);
        } finally {
            leave(cid);
        }
    }

    /**
     * Ends a hold like {@link #unlock}. The caller is inside the stripe.
     *
     * @param cid the chunk
     * @return result as of {@link #unlock}
     */
    public int unlockInside(long cid) {
        LockRecord record = find(cid);
        Object thread = Holder.current();
        if (record != null && record.isWriter(thread)) {
            record.endWrite(thread);
        } else if (record == null || !record.endRead(thread)) {
            return EntryWord.isChunk(entries.read(cid), cid) ? Status.NOT_HELD : Status.ABSENT;
        }
        settle(record);
        return Status.OK;
    }

    /**
     * Exchanges the calling thread's read hold for the exclusive one, or the reverse, without admitting another writer
     * in between.
     *
     * @param cid the chunk
     * @param toWrite true from read hold to exclusive hold, false for the reverse
     * @param timeoutNs longest wait for the exclusive hold
     * @return OK, ABSENT, NOT_HELD, or LOCKED if other readers remain or another thread already waits to exchange its
     *     read hold
     */
    public int swap(long cid, boolean toWrite, long timeoutNs) {
        if (toWrite) {
            return passThrough(cid, LockIntent.UPGRADE, timeoutNs);
        }
        stripes.enter(stripes.of(cid));
        try {
            return downgradeInside(cid);
        } finally {
            leave(cid);
        }
    }

    /**
     * Exchanges the exclusive hold for a read hold. The caller is inside the stripe.
     *
     * @param cid the chunk
     * @return OK or NOT_HELD
     */
    public int downgradeInside(long cid) {
        LockRecord record = find(cid);
        final Object thread = Holder.current();
        if (record == null || !record.isWriter(thread)) {
            return Status.NOT_HELD;
        }
        record.downgrade(thread);
        settle(record);
        return Status.OK;
    }

    /**
     * Returns whether the calling thread holds a chunk.
     *
     * @param cid the chunk
     * @param write true asks for the exclusive hold, false for a read hold
     * @return whether the thread has that hold
     */
    public boolean isHeld(long cid, boolean write) {
        stripes.enter(stripes.of(cid));
        try {
            return isHeldInside(cid, write);
        } finally {
            leave(cid);
        }
    }

    /**
     * Returns whether the calling thread holds a chunk. The caller is inside the stripe.
     *
     * @param cid the chunk
     * @param write true asks for the exclusive hold, false for a read hold
     * @return whether the thread has that hold
     */
    public boolean isHeldInside(long cid, boolean write) {
        LockRecord record = find(cid);
        Object thread = Holder.current();
        return record != null && (write ? record.isWriter(thread) : record.isReader(thread));
    }

    /**
     * Returns whether a chunk is held exclusively by a holder outside of this process, and no thread acts for it: then
     * no thread changes the chunk before the caller, who is inside the stripe, leaves it.
     *
     * @param cid the chunk
     * @return whether it is
     */
    public boolean isIdleInside(long cid) {
        LockRecord record = find(cid);
        return record != null && Holder.isIdle(record.writer);
    }

    /**
     * Ends the holds of a chunk that belong to threads that have ended.
     *
     * @param cid the chunk
     * @return the number of holds that were ended
     */
    public int releaseEnded(long cid) {
        stripes.enter(stripes.of(cid));
        try {
            LockRecord record = find(cid);
            if (record == null) {
                return 0;
            }
            int released = record.endHoldsOfEnded();
            settle(record);
            return released;
        } finally {
            leave(cid);
        }
    }

    /**
     * Returns whether a chunk is held exclusively by a thread that has ended.
     *
     * @param cid the chunk
     * @return whether it is
     */
    public boolean isHeldByEnded(long cid) {
        stripes.enter(stripes.of(cid));
        try {
            LockRecord record = find(cid);
            Object writer = record == null ? null : record.writer;
            return writer != null && !Holder.isAlive(writer);
        } finally {
            leave(cid);
        }
    }

    // ---- pins ----

    /**
     * Adds a pin. The caller is inside the stripe.
     *
     * @param cid an existing chunk
     */
    public void pinInside(long cid) {
        LockRecord record = obtain(cid);
        record.pin();
        settle(record);
    }

    /**
     * Adds a pin.
     *
     * @param cid a chunk that the calling thread holds, so that it exists
     */
    public void pin(long cid) {
        stripes.enter(stripes.of(cid));
        try {
            pinInside(cid);
        } finally {
            leave(cid);
        }
    }

    /**
     * Removes a pin.
     *
     * @param cid the chunk
     * @return OK or NOT_HELD
     */
    public int unpin(long cid) {
        stripes.enter(stripes.of(cid));
        try {
            LockRecord record = find(cid);
            if (record == null || !record.unpin()) {
                return Status.NOT_HELD;
            }
            settle(record);
            return Status.OK;
        } finally {
            leave(cid);
        }
    }

    /**
     * Takes a hold and a pin in one step, if no other thread holds the chunk and the calling thread does not.
     *
     * @param cid the chunk
     * @param write true for the exclusive hold, false for a read hold
     * @return whether both were taken; {@link #unpinAndUnlock} ends them
     */
    public boolean tryLockAndPin(long cid, boolean write) {
        stripes.enter(stripes.of(cid));
        try {
            LockRecord record = find(cid);
            if (record != null && (record.writer != null || record.readerCount() > 0)
                || tryInside(cid, write ? LockIntent.WRITE_LOCK : LockIntent.READ_LOCK) != Status.OK) {
                return false;
            }
            obtain(cid).pin();
            return true;
        } finally {
            leave(cid);
        }
    }

    /**
     * Ends a hold and a pin of the calling thread.
     *
     * @param cid the chunk
     */
    public void unpinAndUnlock(long cid) {
        stripes.enter(stripes.of(cid));
        try {
            LockRecord record = find(cid);
            if (record != null) {
                record.unpin();
            }
            unlockInside(cid);
        } finally {
            leave(cid);
        }
    }

    /**
     * Returns whether a chunk is pinned. The caller is inside the stripe.
     *
     * @param cid the chunk
     * @return whether it has a pin
     */
    public boolean isPinnedInside(long cid) {
        LockRecord record = find(cid);
        return record != null && record.pins() > 0;
    }

    /**
     * Makes a chunk read-only. The caller is inside the stripe. An exclusive hold of the calling thread becomes a read
     * hold.
     *
     * @param cid a chunk that {@link #enter} has allowed the thread to change
     */
    public void sealInside(long cid) {
        long word = entries.read(cid);
        LockRecord record = find(cid);
        if (record == null) {
            entries.write(cid, EntryWord.withState(word, EntryWord.READ_ONLY));
            return;
        }
        if (record.writer != null) {
            record.downgrade(record.writer);
        }
        entries.write(cid, EntryWord.withState(word, EntryWord.READ_ONLY_SHARED));
        settle(record);
    }

    /**
     * Records the creation of a chunk. The caller is inside the stripe. Threads that wait for an earlier chunk of this
     * CID continue with the new one.
     *
     * @param cid the chunk
     * @param hold READ_LOCK or WRITE_LOCK to hold it for the calling thread from the start, if no thread waits yet; or
     *     null
     */
    public void createdInside(long cid, @Nullable LockIntent hold) {
        LockRecord record = hold == null ? find(cid) : obtain(cid);
        if (record == null) {
            return;
        }
        if (hold != null) {
            Object thread = Holder.current();
            boolean held = hold == LockIntent.WRITE_LOCK ? record.tryWrite(thread) : record.tryRead(thread);
            assert held : record;
        }
        settle(record);
    }

    // ---- admission ----

    /**
     * Enters the chunk's stripe if the chunk exists and its locks allow the operation.
     *
     * @param cid the chunk
     * @param intent the operation
     * @param timeoutNs longest wait for the locks of other threads
     * @return OK with the stripe entered (call {@link #leave}); else ABSENT, LOCKED, READ_ONLY or NOT_HELD, not
     *     entered
     */
    public int enter(long cid, LockIntent intent, long timeoutNs) {
        stripes.enter(stripes.of(cid));
        int result = tryInside(cid, intent);
        if (result == Status.OK) {
            return Status.OK;
        }
        if (result != Status.LOCKED || timeoutNs <= 0 || isHeldRemotely(cid)) {
            leave(cid);
            return result;
        }
        return enterSlow(cid, intent, timeoutNs);
    }

    /**
     * Returns whether the locks of a chunk allow an operation that takes no hold. The caller is inside the stripe.
     *
     * @param cid the chunk
     * @param intent READ, WRITE or REMOVE
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    public int admitInside(long cid, LockIntent intent) {
        assert !intent.hold() : intent;
        return tryInside(cid, intent);
    }

    private boolean isHeldRemotely(long cid) {
        final LockRecord record = find(cid);
        return record != null && record.isHeldRemotely();
    }

    /** Waits for admission. Called inside the stripe if the operation is not possible at once. */
    private int enterSlow(long cid, LockIntent intent, long timeoutNs) {
        LockWaitEvent event = new LockWaitEvent();
        event.begin();
        long start = clock.nowNs();
        int result = Status.LOCKED;
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            LockRecord record = obtain(cid);
            boolean isUpgrade = intent == LockIntent.UPGRADE;
            if (!isUpgrade || !record.upgrading) {              // two upgrades would wait for each other
                Waiter waiter = new Waiter(Thread.currentThread(), Holder.current(), intent, start);
                record.upgrading |= isUpgrade;
                record.add(waiter);
                result = enterInTurn(record, waiter, interrupt, timeoutNs);
                record.remove(waiter);
                record.upgrading &= !isUpgrade;
            }
            settle(record);
            if (result != Status.OK) {
                leave(cid);
            }
        }
        event.end();
        if (event.shouldCommit()) {
            event.cid = cid;
            event.exclusive = intent.write();
            event.timedOut = result == Status.LOCKED;
            event.commit();
        }
        return result;
    }

    /** Waits and tries again until the operation is possible or the time is over, inside the stripe at both ends. */
    private int enterInTurn(LockRecord record, Waiter waiter, KeptInterrupt interrupt, long timeoutNs) {
        final long cid = record.cid;
        final long start = waiter.sinceNs;
        int result = Status.LOCKED;
        long pollNs = POLL_NS_MIN;
        for (long left = timeoutNs; result == Status.LOCKED && left > 0; left = timeoutNs - (clock.nowNs() - start)) {
            if (waiter.woken) {
                record.appoint(waiter, clock.nowNs());
            }
            settle(record);
            final boolean isPolling = waiter.woken && record.isToPoll(waiter);
            waiter.woken = isPolling;
            leave(cid);
            if (isPolling) {
                interrupt.park(clock, this, Math.min(left, pollNs));
                pollNs = Math.min(2 * pollNs, POLL_NS_MAX);
            } else {
                await(waiter, interrupt, start, timeoutNs);
            }
            stripes.enter(stripes.of(cid));
            result = tryInside(cid, waiter.intent);
            if (record.isHeldRemotely()) {
                break;                                          // no thread waits for a remote holder
            }
        }
        return result;
    }

    /** Spins, yields, then parks until woken or timed out. */
    private void await(Waiter waiter, KeptInterrupt interrupt, long start, long timeoutNs) {
        for (int round = 0; !waiter.woken; round++) {
            long left = timeoutNs - (clock.nowNs() - start);
            if (left <= 0) {
                return;
            }
            if (round < SPINS) {
                Thread.onSpinWait();
            } else if (round < SPINS + YIELDS) {
                Thread.yield();
            } else {
                interrupt.park(clock, this, left);
            }
        }
    }

    /** Tries the operation inside the stripe; returns OK with the hold taken, or the reason of the refusal. */
    private int tryInside(long cid, LockIntent intent) {
        long word = entries.find(cid);
        if (!EntryWord.isChunk(word, cid)) {
            return Status.ABSENT;
        }
        int state = EntryWord.state(word);
        if (state >= EntryWord.READ_ONLY && !intent.allowedOnReadOnly()) {
            return Status.READ_ONLY;
        }
        if (!intent.hold() && (state == EntryWord.PLAIN || state == EntryWord.READ_ONLY)) {
            return Status.OK;
        }
        Object thread = Holder.current();
        LockRecord record = obtain(cid);
        boolean done = switch (intent) {
            case READ -> !record.blocksRead(thread);
            case WRITE, REMOVE -> !record.blocksWrite(thread);
            case READ_LOCK -> record.tryRead(checked(record, thread, false));
            case WRITE_LOCK -> record.tryWrite(checked(record, thread, true));
            case UPGRADE -> record.isReader(thread) && record.tryUpgrade(thread);
        };
        boolean held = intent != LockIntent.UPGRADE || done || record.isReader(thread);
        settle(record);
        return done ? Status.OK : held ? Status.LOCKED : Status.NOT_HELD;
    }

    /** Checks that the thread would not wait for itself. */
    private Object checked(LockRecord record, Object thread, boolean write) {
        if (record.isWriter(thread) || write && record.isReader(thread)) {
            long cid = record.cid;
            leave(cid);
            throw new IllegalStateException("thread " + Thread.currentThread().getName() + " already holds chunk "
                + CidLayout.toString(cid) + "; locks are not reentrant, use swap to change a read lock");
        }
        return thread;
    }

    /**
     * Leaves the chunk's stripe.
     *
     * @param cid the chunk
     */
    public void leave(long cid) {
        stripes.leave(stripes.of(cid));
    }

    /**
     * Returns whether a chunk has a lock record: holds, pins, or waiters. The caller is inside the stripe.
     *
     * @param cid the chunk
     * @return whether it has one
     */
    public boolean isRecordedInside(long cid) {
        return find(cid) != null;
    }

    /**
     * Enters each stripe once. Ends the holds of threads that have ended, and wakes the waiters, of the chunks of a
     * creator whose zone was dropped: they find the chunk absent.
     *
     * @param nid the creator
     * @return the number of lock records of its chunks that are left
     */
    public int releaseDropped(int nid) {
        int left = 0;
        for (int stripe = 0; stripe < heads.length; stripe++) {
            stripes.enter(stripe);
            try {
                for (LockRecord record = heads[stripe]; record != null; ) {
                    LockRecord next = record.next;
                    if (CidLayout.nid(record.cid) == nid) {
                        record.endHoldsOfEnded();
                        record.wakeAll();
                        left += record.idle() ? 0 : 1;
                        settle(record);
                    }
                    record = next;
                }
            } finally {
                stripes.leave(stripe);
            }
        }
        return left;
    }

    /**
     * Ends all holds of a chunk that was removed. The caller is inside the stripe. Waiters wake up and find the chunk
     * absent.
     *
     * @param cid the chunk
     */
    public void endAllInside(long cid) {
        LockRecord record = find(cid);
        if (record != null) {
            record.endAll();
            record.wakeAll();
            settle(record);
        }
    }

    // ---- records ----

    private @Nullable LockRecord find(long cid) {
        for (LockRecord record = heads[stripes.of(cid)]; record != null; record = record.next) {
            if (record.cid == cid) {
                return record;
            }
        }
        return null;
    }

    private LockRecord obtain(long cid) {
        LockRecord found = find(cid);
        if (found != null) {
            return found;
        }
        int stripe = stripes.of(cid);
        LockRecord spare = spares[stripe];
        LockRecord record = spare != null ? spare : new LockRecord();
        spares[stripe] = null;
        record.reset(cid);
        record.next = heads[stripe];
        heads[stripe] = record;
        return record;
    }

    /** Updates the entry according to the record, wakes waiters that may proceed, and drops an empty record. */
    private void settle(LockRecord record) {
        long cid = record.cid;
        boolean idle = record.idle();
        long word = entries.read(cid);
        if (EntryWord.isChunk(word, cid)) {
            int state = EntryWord.state(word);
            boolean readOnly = state >= EntryWord.READ_ONLY;
            int wanted = readOnly ? idle ? EntryWord.READ_ONLY : EntryWord.READ_ONLY_SHARED
                : record.writer != null ? EntryWord.EXCLUSIVE : idle ? EntryWord.PLAIN : EntryWord.SHARED;
            if (state != wanted) {
                entries.write(cid, EntryWord.withState(word, wanted));
            }
        }
        if (idle) {
            drop(record);
        } else if (record.hasWaiters()) {
            record.appointFirst(clock.nowNs());
            record.wakeNext();
        }
    }

    private void drop(LockRecord record) {
        int stripe = stripes.of(record.cid);
        LockRecord head = heads[stripe];
        if (head == record) {
            heads[stripe] = record.next;
        } else {
            LockRecord before = head;
            while (before != null && before.next != record) {
                before = before.next;
            }
            if (before == null) {
                return;                                         // dropped already, by the last waiter
            }
            before.next = record.next;
        }
        record.next = null;
        spares[stripe] = record;
    }

    /** Wakes all waiters of all chunks after the store is closed, which they detect. */
    public void wakeAll() {
        for (LockRecord head : heads) {
            for (LockRecord record = head; record != null; record = record.next) {
                record.wakeAll();
            }
        }
    }

    /** {@return whether a holder of {@link Visitor} has not ended} */
    public static boolean isAlive(Object holder) {
        return Holder.isAlive(holder);
    }

    /** {@return a holder of {@link Visitor} for people} */
    public static String describe(Object holder) {
        return Holder.describe(holder);
    }

    /** Receives the records of {@link #forEach}. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Called for each record.
         *
         * @param cid the chunk
         * @param writer the exclusive holder, a thread or a {@link Holder}, or null
         * @param readers the readers, one element for each hold
         * @param pins number of pins
         * @param waiters number of waiting threads
         */
        void record(long cid, @Nullable Object writer, Object[] readers, int pins, int waiters);
    }

    /**
     * Walks all records. Either the caller has frozen the stripes, or the walk enters one stripe at a time.
     *
     * @param frozen whether the caller has frozen the stripes
     * @param visitor receives each record
     */
    public void forEach(boolean frozen, Visitor visitor) {
        for (int stripe = 0; stripe < heads.length; stripe++) {
            if (!frozen) {
                stripes.enter(stripe);
            }
            try {
                for (LockRecord record = heads[stripe]; record != null; record = record.next) {
                    Object[] readers = new Object[record.readerCount()];
                    for (int i = 0; i < readers.length; i++) {
                        readers[i] = record.reader(i);
                    }
                    visitor.record(record.cid, record.writer, readers, record.pins(), record.waiterCount());
                }
            } finally {
                if (!frozen) {
                    stripes.leave(stripe);
                }
            }
        }
    }
}
