package io.teff.recovery;

import io.teff.engine.error.Status;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads whose stacks end in the middle of a record of an open store's log. Each dives until its stack overflows, and
 * on the way back records a chunk at each depth, from where not even a call is possible to where the whole record fits:
 * some records are claimed and never committed. The steps are those of the engine, which leaves such a record by one
 * statement. The chunk has one content only, so it does not matter which of the records are kept.
 */
public final class EndedStacks {
    private static final int CHANGES = 200;
    private static final int BYTES = 64;
    private static final byte FILL = 0x55;
    private static final long STACK_BYTES = 256 << 10;

    private final LogJournal journal;
    private final long cid;
    /** Whether records that are not committed are left to the journal, as the engine does. */
    private final boolean isLeft;
    /** Changes so far, and those that have ended between claim and commit; written by one thread at a time. */
    private final int[] counts = new int[2];

    private EndedStacks(LogJournal journal, long cid, boolean isLeft) {
        this.journal = journal;
        this.cid = cid;
        this.isLeft = isLeft;
    }

    private static byte[] content() {
        final byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, FILL);
        return bytes;
    }

    /** Initializes the JDK's classes of waiting: one whose initializer meets the end of a stack fails for ever. */
    private static void waitOnce() throws InterruptedException {
        final ReentrantLock lock = new ReentrantLock();
        final Condition turn = lock.newCondition();
        final boolean[] isOver = new boolean[1];
        final Thread other = new Thread(() -> {
            lock.lock();
            try {
                isOver[0] = true;
                turn.signalAll();
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        try {
            other.start();
            while (!isOver[0]) {
                turn.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        other.join();
    }

    /**
     * Makes the chunk, or checks the one of a former process.
     *
     * @param durable the store
     * @param cid CID of the chunk, of another creator
     * @param isLeft false to plant the fault that nothing ends such a record
     * @return what runs the threads
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static EndedStacks of(DurableStore durable, long cid, boolean isLeft) throws InterruptedException {
        waitOnce();
        final byte[] bytes = new byte[BYTES];
        final int length = durable.store().get(cid, bytes);
        if (length == Status.ABSENT) {
            final int made = durable.store().ids().createAt(cid, content());
            if (made != Status.OK) {
                throw new IllegalStateException("the chunk is not made: " + Status.name(made));
            }
        } else if (length != BYTES || !Arrays.equals(bytes, content())) {
            throw new IllegalStateException("the chunk of ended stacks has another content, and " + length + " bytes");
        }
        return new EndedStacks(durable.journal(), cid, isLeft);
    }

    /**
     * Runs a thread to the end of its stack.
     *
     * @return how many records it has claimed and not committed
     * @throws InterruptedException if the calling thread is interrupted
     */
    public int run() throws InterruptedException {
        counts[0] = 0;
        counts[1] = 0;
        final Thread thread = new Thread(null, this::dive, "ended-stack", STACK_BYTES);
        thread.start();
        thread.join();
        return counts[1];
    }

    @SuppressWarnings("InfiniteRecursion")
    private void dive() {
        try {
            dive();
        } catch (StackOverflowError _) {
            counts[0] += 0;
        }
        if (counts[0] < CHANGES) {
            counts[0]++;
            try {
                record();
            } catch (StackOverflowError _) {
                counts[0] += 0;
            }
        }
    }

    private void record() {
        final long[] left = isLeft ? journal.abandoned().places() : new long[1];
        final int[] its = counts;                               // a stack that has ended resolves no field either
        journal.begin();
        final long record = journal.claim(1, 1, BYTES);
        boolean isCommitted = false;
        try {
            final long at = journal.entry(record, 0, cid, Journal.PUT, BYTES, 0);
            final MemorySegment memory = journal.memory();
            for (int i = 0; i < BYTES; i++) {
                memory.set(ValueLayout.JAVA_BYTE, at + i, FILL);
            }
            journal.commit(record, false);
            isCommitted = true;
        } finally {
            if (!isCommitted) {
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
                its[1]++;
            }
        }
    }
}
