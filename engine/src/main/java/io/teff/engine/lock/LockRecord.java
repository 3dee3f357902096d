package io.teff.engine.lock;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Who holds, pins and waits for one chunk. Plain data, guarded by the chunk's stripe; the rules, no waiting.
 *
 * <ul>
 * <li>One writer, or any number of readers; a reader may take further read holds, nothing else is reentrant.
 * <li>A reader that becomes the writer keeps its further read holds: they sleep until it is the writer no more.
 * <li>New readers stay out while a writer waits (writers first), except threads that read already.
 * <li>Pins are independent of both.
 * </ul>
 */
@SuppressWarnings("ReferenceEquality")                        // threads are compared by identity
final class LockRecord {
    /** A thread that waits for the record to change. */
    static final class Waiter {
        final Thread thread;
        final LockIntent intent;
        volatile boolean woken;

        Waiter(Thread thread, LockIntent intent) {
            this.thread = thread;
            this.intent = intent;
        }

        void wake() {
            woken = true;
            LockSupport.unpark(thread);
        }
    }

    private static final int READERS_INITIAL = 2;

    long cid;
    @Nullable LockRecord next;
    @Nullable Thread writer;
    /** A reader waits to become the writer. */
    boolean upgrading;
    private @Nullable Thread[] readers = new Thread[READERS_INITIAL];
    private int readerCount;
    /** Read holds that the writer had besides the one that it gave up. */
    private int sleepingReads;
    private int pins;
    private int waitingWriters;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>(2);

    void reset(long newCid) {
        assert idle() : this;
        cid = newCid;
    }

    /** True if the record says nothing and can go. */
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

    @Nullable Thread reader(int index) {
        return readers[index];
    }

    boolean isWriter(Thread thread) {
        return writer == thread;
    }

    boolean isReader(Thread thread) {
        return readHolds(thread) > 0;
    }

    /** How many read holds a thread has. */
    int readHolds(Thread thread) {
        int holds = 0;
        for (int i = 0; i < readerCount; i++) {
            holds += readers[i] == thread ? 1 : 0;
        }
        return holds;
    }

    private boolean hasOtherReader(Thread thread) {
        return readHolds(thread) < readerCount;
    }

    // ---- rules ----

    /** An operation that reads must wait. */
    boolean blocksRead(Thread thread) {
        return writer != null && writer != thread;
    }

    /** An operation that writes must wait. */
    boolean blocksWrite(Thread thread) {
        return blocksRead(thread) || hasOtherReader(thread);
    }

    private boolean mayTakeRead(Thread thread) {
        return writer == null && (waitingWriters == 0 || isReader(thread));
    }

    boolean tryRead(Thread thread) {
        if (!mayTakeRead(thread)) {
            return false;
        }
        if (readerCount == readers.length) {
            readers = Arrays.copyOf(readers, readerCount * 2);
        }
        readers[readerCount++] = thread;
        return true;
    }

    boolean tryWrite(Thread thread) {
        if (writer != null || readerCount > 0) {
            return false;
        }
        writer = thread;
        return true;
    }

    /** From a read hold to the exclusive one. */
    boolean tryUpgrade(Thread thread) {
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

    void downgrade(Thread thread) {
        endWrite(thread);
        readers[readerCount++] = thread;
    }

    /** Ends one read hold; false if the thread has none. */
    boolean endRead(Thread thread) {
        for (int i = 0; i < readerCount; i++) {
            if (readers[i] == thread) {
                readers[i] = readers[--readerCount];
                readers[readerCount] = null;
                return true;
            }
        }
        return false;
    }

    void endWrite(Thread thread) {
        assert writer == thread : thread;
        writer = null;
        readerCount = sleepingReads;
        Arrays.fill(readers, 0, readerCount, thread);
        sleepingReads = 0;
    }

    /** The chunk is gone: nobody holds it any more. */
    void endAll() {
        writer = null;
        Arrays.fill(readers, null);
        readerCount = 0;
        sleepingReads = 0;
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
        }
    }

    private boolean mayGo(Waiter waiter) {
        Thread thread = waiter.thread;
        return switch (waiter.intent) {
            case READ -> !blocksRead(thread);
            case WRITE, REMOVE -> !blocksWrite(thread);
            case READ_LOCK -> mayTakeRead(thread);
            case WRITE_LOCK -> writer == null && readerCount == 0;
            case UPGRADE -> writer == null && isReader(thread) && !hasOtherReader(thread);
        };
    }

    /** Wakes those who may go on now, up to the first that writes. Each wakes the next when it is done. */
    void wakeNext() {
        if (waiters.isEmpty()) {
            return;                                             // the usual case allocates no iterator
        }
        for (Waiter waiter : waiters) {
            if (mayGo(waiter)) {
                waiter.wake();
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
