package io.teff.engine.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.lock.LockRecord.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: one writer or any number of readers, writers first, pins independent, and every waiter that may proceed is
 * woken. Method: every sequence of up to eight steps of two threads, each step compared with a second statement of the
 * rules; then each rule about waiting by itself.
 */
final class LockRecordTest {
    private static final int DEPTH = 8;
    private static final Thread ANNE = Thread.ofPlatform().unstarted(() -> {});
    private static final Thread BERT = Thread.ofPlatform().unstarted(() -> {});
    private static final Thread CARL = Thread.ofPlatform().unstarted(() -> {});
    private static final Thread[] THREADS = {ANNE, BERT};

    /** A step of one thread. */
    private enum Step { READ, WRITE, UPGRADE, DOWNGRADE, END_READ, END_WRITE }

    /**
     * The expected state: the writer, and the number of read holds of each thread; the writer's read holds are
     * suspended.
     */
    private record Model(int writer, int readsOfAnne, int readsOfBert) {
        private static final int NOBODY = -1;

        int reads(int thread) {
            return writer != NOBODY ? 0 : thread == 0 ? readsOfAnne : readsOfBert;
        }

        int readers() {
            return reads(0) + reads(1);
        }

        Model with(int newWriter, int thread, int delta) {
            return new Model(newWriter, readsOfAnne + (thread == 0 ? delta : 0), readsOfBert
                + (thread == 0 ? 0 : delta));
        }

        /** Returns the next state, or null if the step must be refused. */
        @Nullable Model after(Step step, int thread) {
            return switch (step) {
                case READ -> writer == NOBODY ? with(NOBODY, thread, 1) : null;
                case WRITE -> writer == NOBODY && readers() == 0 ? with(thread, thread, 0) : null;
                case UPGRADE -> readers() == reads(thread) ? with(thread, thread, -1) : null;
                case DOWNGRADE -> with(NOBODY, thread, 1);
                case END_READ -> reads(thread) > 0 ? with(writer, thread, -1) : null;
                case END_WRITE -> with(NOBODY, thread, 0);
            };
        }

        /** Returns whether the record's assertions allow the step. */
        boolean mayAsk(Step step, int thread) {
            return switch (step) {
                case UPGRADE -> reads(thread) > 0;
                case DOWNGRADE, END_WRITE -> writer == thread;
                default -> true;
            };
        }
    }

    @Test
    void appoint_writerThatHasWaitedForLong_isTheNextOne() {
        LockRecord record = new LockRecord();
        Waiter early = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        Waiter late = new Waiter(CARL, CARL, LockIntent.WRITE_LOCK, 1);
        assertTrue(record.tryWrite(ANNE));
        record.add(early);
        record.add(late);
        record.appoint(early, LockRecord.HEIR_NS);
        record.endWrite(ANNE);
        assertTrue(record.tryWrite(ANNE), "no writer has waited for longer");
        record.appoint(early, LockRecord.HEIR_NS + 1);
        record.appoint(late, LockRecord.HEIR_NS + 2);
        record.endWrite(ANNE);
        assertFalse(record.tryWrite(ANNE), "the heir is next");
        assertFalse(record.tryWrite(CARL), "the heir is next");
        record.wakeNext();
        assertTrue(early.woken);
        assertFalse(late.woken);
        assertTrue(record.tryWrite(BERT));
        record.remove(early);
        record.endWrite(BERT);
        assertTrue(record.tryWrite(ANNE), "the heir has had its turn");
        record.endWrite(ANNE);
        record.appoint(late, LockRecord.HEIR_NS + 2);
        assertFalse(record.tryWrite(ANNE));
        record.remove(late);
        assertTrue(record.tryWrite(ANNE), "the heir has given up");
        record.endWrite(ANNE);
        assertTrue(record.idle());
    }

    @Test
    void appointFirst_writerThatSleepsForLong_isTheNextOne() {
        LockRecord record = new LockRecord();
        Waiter early = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        Waiter late = new Waiter(CARL, CARL, LockIntent.WRITE_LOCK, 0);
        record.add(early);
        record.add(late);
        long now = LockRecord.HEIR_ASLEEP_NS;
        record.appointFirst(now);
        assertTrue(record.tryWrite(ANNE), "no writer has waited for longer");
        record.endWrite(ANNE);
        record.appointFirst(now + 1);
        assertFalse(record.tryWrite(ANNE), "the heir is next");
        assertTrue(record.tryWrite(BERT));
        record.remove(early);
        record.endWrite(BERT);
        record.appointFirst(now + 2);
        assertTrue(record.tryWrite(ANNE), "not the next heir directly");
        record.endWrite(ANNE);
        record.appointFirst(now + 2 + LockRecord.PAUSE_NS);
        assertFalse(record.tryWrite(ANNE), "the heir is next");
        record.remove(late);
        assertTrue(record.tryWrite(ANNE));
    }

    @Test
    void wakeNext_writerThatLooksByItself_isWokenAgainAsTheHeirOnly() {
        LockRecord record = new LockRecord();
        Waiter writer = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        record.add(writer);
        record.wakeNext();
        assertTrue(writer.woken);
        assertTrue(record.isToPoll(writer));
        record.appoint(writer, LockRecord.HEIR_NS + 1);
        assertFalse(record.isToPoll(writer), "the heir is woken");
        writer.woken = false;
        record.wakeNext();
        assertTrue(writer.woken);
        record.remove(writer);
        assertFalse(record.isToPoll(new Waiter(BERT, BERT, LockIntent.READ_LOCK, 0)), "readers are woken");
    }

    @Test
    void steps_everySequence_followTheRules() {
        long sequences = walk(new ArrayList<>(), new Model(Model.NOBODY, 0, 0), DEPTH);
        assertTrue(sequences > 20_000, "only " + sequences + " sequences");
    }

    /** Replays the sequence for each further step, since a record cannot be copied. */
    private long walk(List<int[]> steps, Model model, int depth) {
        if (depth == 0) {
            return 1;
        }
        long count = 0;
        for (Step step : Step.values()) {
            for (int thread = 0; thread < THREADS.length; thread++) {
                if (!model.mayAsk(step, thread)) {
                    continue;
                }
                LockRecord record = replay(steps);
                Model after = model.after(step, thread);
                boolean done = apply(record, step, THREADS[thread]);
                assertEquals(after != null, done, () -> step + " in " + model);
                check(record, after != null ? after : model);
                if (after != null) {
                    steps.add(new int[] {step.ordinal(), thread});
                    count += walk(steps, after, depth - 1);
                    steps.removeLast();
                }
            }
        }
        return count;
    }

    private static LockRecord replay(List<int[]> steps) {
        LockRecord record = new LockRecord();
        for (int[] step : steps) {
            assertTrue(apply(record, Step.values()[step[0]], THREADS[step[1]]));
        }
        return record;
    }

    private static boolean apply(LockRecord record, Step step, Thread thread) {
        switch (step) {
            case READ:
                return record.tryRead(thread);
            case WRITE:
                return record.tryWrite(thread);
            case UPGRADE:
                return record.tryUpgrade(thread);
            case DOWNGRADE:
                record.downgrade(thread);
                return true;
            case END_READ:
                return record.endRead(thread);
            default:
                record.endWrite(thread);
                return true;
        }
    }

    private static void check(LockRecord record, Model model) {
        int readers = model.readers();
        assertEquals(readers, record.readerCount());
        assertEquals(model.writer == Model.NOBODY && readers == 0, record.idle());
        for (int thread = 0; thread < THREADS.length; thread++) {
            boolean othersWrite = model.writer != Model.NOBODY && model.writer != thread;
            boolean othersRead = readers > model.reads(thread);
            assertEquals(model.writer == thread, record.isWriter(THREADS[thread]));
            assertEquals(model.reads(thread) > 0, record.isReader(THREADS[thread]));
            assertEquals(othersWrite, record.blocksRead(THREADS[thread]));
            assertEquals(othersWrite || othersRead, record.blocksWrite(THREADS[thread]));
        }
    }

    @Test
    void tryRead_whileAWriterWaits_isForThoseWhoReadAlready() {
        LockRecord record = new LockRecord();
        assertTrue(record.tryRead(ANNE));
        Waiter writer = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        record.add(writer);
        assertTrue(record.tryRead(ANNE), "a reader may take a further hold");
        assertFalse(record.tryRead(BERT), "a new reader waits while a writer waits");
        record.remove(writer);
        assertTrue(record.tryRead(BERT));
    }

    @Test
    void wakeNext_afterTheLastReader_wakesTheFirstWriterOnly() {
        LockRecord record = new LockRecord();
        assertTrue(record.tryRead(ANNE));
        Waiter first = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        Waiter second = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        record.add(first);
        record.add(second);
        record.wakeNext();
        assertFalse(first.woken || second.woken, "the reader still holds");
        assertTrue(record.endRead(ANNE));
        record.wakeNext();
        assertTrue(first.woken);
        assertFalse(second.woken, "the first wakes the second when it is done");
    }

    @Test
    void wakeNext_afterAWriter_wakesAllOperationsThatRead() {
        LockRecord record = new LockRecord();
        assertTrue(record.tryWrite(ANNE));
        Waiter[] readers = {new Waiter(BERT, BERT, LockIntent.READ, 0), new Waiter(BERT, BERT, LockIntent.READ, 0),
            new Waiter(BERT, BERT, LockIntent.READ_LOCK, 0)};
        for (Waiter reader : readers) {
            record.add(reader);
        }
        record.endWrite(ANNE);
        record.wakeNext();
        for (Waiter reader : readers) {
            assertTrue(reader.woken);
        }
    }

    @Test
    void wakeNext_readersBehindAWriter_sleepUntilItIsGone() {
        LockRecord record = new LockRecord();
        assertTrue(record.tryRead(ANNE));
        Waiter writer = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        Waiter reader = new Waiter(BERT, BERT, LockIntent.READ_LOCK, 0);
        record.add(writer);
        record.add(reader);
        record.wakeNext();
        assertFalse(reader.woken, "writers first");
        record.remove(writer);
        record.wakeNext();
        assertTrue(reader.woken, "a writer that gave up lets the readers in");
    }

    @Test
    void wakeNext_theLastOtherReaderLeaves_wakesTheOneThatGoesUp() {
        LockRecord record = new LockRecord();
        assertTrue(record.tryRead(ANNE));
        assertTrue(record.tryRead(BERT));
        Waiter up = new Waiter(ANNE, ANNE, LockIntent.UPGRADE, 0);
        record.add(up);
        record.wakeNext();
        assertFalse(up.woken);
        assertTrue(record.endRead(BERT));
        record.wakeNext();
        assertTrue(up.woken);
    }

    @Test
    void endAll_holdsAndWaiters_keepsTheWaiters() {
        LockRecord record = new LockRecord();
        assertTrue(record.tryRead(ANNE));
        Waiter waiter = new Waiter(BERT, BERT, LockIntent.WRITE_LOCK, 0);
        record.add(waiter);
        record.endAll();
        record.wakeAll();
        assertTrue(waiter.woken);
        assertFalse(record.idle(), "the record stays until its waiters have left");
        record.remove(waiter);
        assertTrue(record.idle());
        record.reset(7);
        assertTrue(record.tryRead(BERT), "no trace of the waiting writer is left");
    }

    @Test
    void remove_twice_countsTheWriterOnce() {
        LockRecord record = new LockRecord();
        Waiter waiter = new Waiter(BERT, BERT, LockIntent.WRITE, 0);
        record.add(waiter);
        record.remove(waiter);
        record.remove(waiter);
        assertEquals(0, record.waiterCount());
        record.add(new Waiter(BERT, BERT, LockIntent.WRITE, 0));
        assertFalse(record.tryRead(ANNE), "one writer waits");
    }

    @Test
    void pin_andUnpin_areCountedApartFromHolds() {
        LockRecord record = new LockRecord();
        assertFalse(record.unpin());
        record.pin();
        record.pin();
        assertFalse(record.idle());
        assertTrue(record.tryWrite(ANNE));
        record.endWrite(ANNE);
        assertTrue(record.unpin());
        assertFalse(record.idle());
        assertTrue(record.unpin());
        assertTrue(record.idle());
        assertFalse(record.unpin());
    }

    @Test
    void reset_recordInUse_isRefused() {
        LockRecord record = new LockRecord();
        record.pin();
        assertThrows(AssertionError.class, () -> record.reset(1));
    }
}
