package io.teff.engine.lock;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The holders, pins and waiters of one chunk, and the rules of locking; waiting itself is elsewhere. Plain data,
 * guarded by the chunk's stripe.
 *
 * <ul>
 * <li>There is one writer, or any number of readers. A reader may take further read holds; nothing else is reentrant.
 * <li>A reader that becomes the writer keeps its further read holds; they are suspended until it is no longer the
 *   writer.
 * <li>New readers wait while a writer waits (writers first), except threads that hold a read hold already.
 * <li>A thread that finds the chunk free takes it, also before waiters: waking one takes longer than most holds. But a
 *   writer that has waited for {@link #HEIR_NS} and is awake becomes the heir, or after {@link #HEIR_ASLEEP_NS} the
 *   first writer. No other thread becomes the writer before the heir. So each waiter gets its turn, and threads in the
 *   middle of work lose little time.
 * <li>Pins are independent of both.
 * </ul>
 *
 * <p>A thread here is a {@link Thread} acting for itself, or the {@link Holder} of the acting thread.
 */
@SuppressWarnings("ReferenceEquality")                        // threads are compared by identity
final class LockRecord {
    /** A thread that waits for a change of the record. */
    static final class Waiter {
        final Thread thread;
        /** For whom the thread waits: itself, or a {@link Holder}. */
        final Object holder;
        final LockIntent intent;
        /** Time of the begin of the wait, in nanoseconds of the clock. */
        final long sinceNs;
        /** Whether the thread looks by itself from now on, and needs no further wake-up unless it is the heir. */
        volatile boolean woken;

        Waiter(Thread thread, Object holder, LockIntent intent, long sinceNs) {
            this.thread = thread;
            this.holder = holder;
            this.intent = intent;
            this.sinceNs = sinceNs;
        }

        void wake() {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    /** A writer that has waited for so long, and is awake, becomes the heir. */
    static final long HEIR_NS = 5_000_000;
    /** The first writer becomes the heir after so long also if it sleeps. */
    static final long HEIR_ASLEEP_NS = 2 * HEIR_NS;
    /** Time between two heirs that may sleep. */
    static final long PAUSE_NS = 200_000;

    private static final int READERS_INITIAL = 2;

    long cid;
    @Nullable LockRecord next;
    @Nullable Object writer;
    /** Whether a reader waits to become the writer. */
    boolean upgrading;
    private @Nullable Object[] readers = new Object[READERS_INITIAL];
    private int readerCount;
    /** Number of the writer's read holds, without the exchanged hold. */
    private int sleepingReads;
    private int pins;
    private int waitingWriters;
    /** The waiter that gets the chunk next, whoever asks first; null while any thread may. */
    private @Nullable Waiter heir;
    private long appointedNs;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>(2);

    void reset(long newCid) {
        assert idle() : this;
        cid = newCid;
    }

    /** Returns whether the record is empty and can be dropped. */
    boolean idle() {
        return writer == null && readerCount == 0 && pins == 0 && waiters.isEmpty();
    }

    int pins() {
        return pins;
    }

    int readerCount() {
        return readerCount;
    }

    int waiterCount() {
        return waiters.size();
    }

    @Nullable Object reader(int index) {
        return readers[index];
    }

    boolean isWriter(Object thread) {
        return writer == thread;
    }

    boolean isReader(Object thread) {
        return readHolds(thread) > 0;
    }

    /** Returns the number of read holds of a thread. */
    int readHolds(Object thread) {
        int holds = 0;
        for (int i = 0; i < readerCount; i++) {
            holds += readers[i] == thread ? 1 : 0;
        }
        return holds;
    }

    private boolean hasOtherReader(Object thread) {
        return readHolds(thread) < readerCount;
    }

    /** Returns whether a holder outside of this process keeps the chunk, for which no thread waits. */
    boolean isHeldRemotely() {
        boolean isRemote = Holder.isRemote(writer);
        for (int i = 0; i < readerCount; i++) {
            isRemote |= Holder.isRemote(readers[i]);
        }
        return isRemote;
    }

    // ---- rules ----

    /** Returns whether a reading operation must wait. */
    boolean blocksRead(Object thread) {
        return writer != null && writer != thread;
    }

    /** Returns whether a writing operation must wait. */
    boolean blocksWrite(Object thread) {
        return blocksRead(thread) || hasOtherReader(thread);
    }

    private boolean mayTakeRead(Object thread) {
        return writer == null && (waitingWriters == 0 || isReader(thread));
    }

    boolean tryRead(Object thread) {
        if (!mayTakeRead(thread)) {
            return false;
        }
        if (readerCount == readers.length) {
            readers = Arrays.copyOf(readers, readerCount * 2);
        }
        readers[readerCount++] = thread;
        return true;
    }

    boolean tryWrite(Object thread) {
        if (writer != null || readerCount > 0 || heir != null && heir.holder != thread) {
            return false;
        }
        writer = thread;
        return true;
    }

    /** Exchanges a read hold for the exclusive one. */
    boolean tryUpgrade(Object thread) {
        assert isReader(thread) : thread;
        if (hasOtherReader(thread)) {
            return false;
        }
        sleepingReads = readerCount - 1;
        Arrays.fill(readers, 0, readerCount, null);
        readerCount = 0;
        writer = thread;
        return true;
    }

    void downgrade(Object thread) {
        endWrite(thread);
        readers[readerCount++] = thread;
    }

    /** Ends one read hold; returns false if the thread has none. */
    boolean endRead(Object thread) {
        for (int i = 0; i < readerCount; i++) {
            if (readers[i] == thread) {
                readers[i] = readers[--readerCount];
                readers[readerCount] = null;
                return true;
            }
        }
        return false;
    }

    void endWrite(Object thread) {
        assert writer == thread : thread;
        writer = null;
        readerCount = sleepingReads;
        Arrays.fill(readers, 0, readerCount, thread);
        sleepingReads = 0;
    }

    /** Ends all holds, because the chunk was removed. */
    void endAll() {
        writer = null;
        Arrays.fill(readers, null);
        readerCount = 0;
        sleepingReads = 0;
    }

    /** Ends the holds of threads that have ended; returns their number. */
    int endHoldsOfEnded() {
        int ended = 0;
        final Object exclusive = writer;
        if (exclusive != null && !Holder.isAlive(exclusive)) {
            endWrite(exclusive);
            ended++;
        }
        for (int i = readerCount - 1; i >= 0; i--) {
            final Object reader = readers[i];
            if (reader != null && !Holder.isAlive(reader)) {
                readers[i] = readers[--readerCount];
                readers[readerCount] = null;
                ended++;
            }
        }
        return ended;
    }

    void pin() {
        pins = Math.incrementExact(pins);
    }

    boolean unpin() {
        if (pins == 0) {
            return false;
        }
        pins--;
        return true;
    }

    // ---- waiting ----

    void add(Waiter waiter) {
        waiters.add(waiter);
        waitingWriters += waiter.intent.write() ? 1 : 0;
    }

    void remove(Waiter waiter) {
        if (waiters.remove(waiter)) {
            waitingWriters -= waiter.intent.write() ? 1 : 0;
            heir = heir == waiter ? null : heir;
        }
    }

    private boolean mayGo(Waiter waiter) {
        Object thread = waiter.holder;
        return switch (waiter.intent) {
            case READ -> !blocksRead(thread);
            case WRITE, REMOVE -> !blocksWrite(thread);
            case READ_LOCK -> mayTakeRead(thread);
            case WRITE_LOCK -> writer == null && readerCount == 0 && (heir == null || heir == waiter);
            case UPGRADE -> writer == null && isReader(thread) && !hasOtherReader(thread);
        };
    }

    /**
     * Returns whether a waiter that was woken, and found the chunk taken, looks again by itself: a writer does until it
     * is the heir.
     */
    boolean isToPoll(Waiter waiter) {
        return waiter.intent.write() && waiter.intent != LockIntent.UPGRADE && heir != waiter;
    }

    /**
     * Makes a waiter that is awake, and has found the chunk taken, the heir if it has waited for long. For a sleeping
     * heir other threads would wait until it runs.
     */
    void appoint(Waiter waiter, long nowNs) {
        if (heir == null && nowNs - waiter.sinceNs > HEIR_NS && isToPoll(waiter)) {
            heir = waiter;
        }
    }

    /**
     * Makes the first writer the heir, although it may sleep, if it has waited for very long. Not one directly after
     * the other, so that threads which are awake proceed in between.
     */
    void appointFirst(long nowNs) {
        if (heir == null && waitingWriters > 0 && nowNs - appointedNs > PAUSE_NS) {
            for (Waiter waiter : waiters) {
                if (waiter.intent.write() && waiter.intent != LockIntent.UPGRADE) {
                    if (nowNs - waiter.sinceNs > HEIR_ASLEEP_NS) {
                        heir = waiter;
                        appointedNs = nowNs;
                    }
                    return;
                }
            }
        }
    }

    /** Returns whether the record has waiters. */
    boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    /**
     * Wakes the waiters that may proceed, up to the first writer. Each wakes the next when it is done. A waiter that
     * was woken before, and found the chunk taken, looks by itself: it is woken again only as the heir.
     */
    void wakeNext() {
        if (heir != null) {
            if (mayGo(heir)) {
                heir.wake();
            }
            return;
        }
        for (Waiter waiter : waiters) {
            if (mayGo(waiter)) {
                if (!waiter.woken) {
                    waiter.wake();
                }
                if (waiter.intent.write()) {
                    return;
                }
            }
        }
    }

    void wakeAll() {
        waiters.forEach(Waiter::wake);
    }
}
