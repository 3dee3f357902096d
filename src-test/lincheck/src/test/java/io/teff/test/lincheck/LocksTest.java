package io.teff.test.lincheck;

import io.teff.engine.error.Status;
import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.EntryWords;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.test.kit.tier.FullTier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * Goal: explicit locks, and operations admitted by them, are linearizable. Method: the engine's own {@link ChunkLocks}
 * and {@link Stripes} over one entry in a {@code long[]}, under Lincheck's model checker, against a second statement of
 * the rules. No operation waits: each tries once.
 */
@FullTier("Model checking with many scenarios, a part of the 166 s of this lane. SeqlockTest and FreeListTest "
    + "check the words that locks stand on, and the engine's LocksTest has the operations.")
final class LocksTest {
    private static final int THREADS_MAX = 8;
    private static final int NOBODY = -1;
    private static final int THROWN = -1000;
    private static final int TORN = -1001;

    /** The engine's locks around a plain pair. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    @Param(name = "value", gen = IntGen.class, conf = "1:3")
    public static class Locks implements EntryWords {
        private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
        private static final long CID = CidLayout.pack(1, 0, 1);

        private final long[] table = {EntryWord.chunk(EntryWord.PLAIN, 0, 8, RegionLayout.FIRST_ADDRESS)};
        private final long[] pair = new long[2];
        private final ChunkLocks locks = new ChunkLocks(new Stripes(1, ModelChecking.TIME, "lincheck"), this,
            ModelChecking.TIME);

        @Override
        public long read(long cid) {
            return (long) ELEMENT.getAcquire(table, 0);
        }

        @Override
        public void write(long cid, long word) {
            ELEMENT.setRelease(table, 0, word);
        }

        /** Takes a read hold. */
        @Operation(params = "thread")
        public int lockRead(int thread) {
            return lock(false);
        }

        /** Takes the exclusive hold. */
        @Operation(params = "thread")
        public int lockWrite(int thread) {
            return lock(true);
        }

        private int lock(boolean write) {
            try {
                return locks.lock(CID, write, 0);
            } catch (IllegalStateException e) {
                return THROWN;
            }
        }

        /** Ends a hold. */
        @Operation(params = "thread")
        public int unlock(int thread) {
            return locks.unlock(CID);
        }

        /** Exchanges a read hold for the exclusive one. */
        @Operation(params = "thread")
        public int goUp(int thread) {
            return locks.swap(CID, true, 0);
        }

        /** Exchanges the exclusive hold for a read hold. */
        @Operation(params = "thread")
        public int goDown(int thread) {
            return locks.swap(CID, false, 0);
        }

        /** Reads the pair if the locks admit it. */
        @Operation(params = "thread")
        public int get(int thread) {
            int entered = enter(LockIntent.READ);
            if (entered != Status.OK) {
                return entered;
            }
            long first = pair[0];
            long second = pair[1];
            leave();
            return first == second ? (int) first : TORN;
        }

        /** Writes the pair if the locks admit it. */
        @Operation(params = {"thread", "value"})
        public int put(int thread, int value) {
            int entered = enter(LockIntent.WRITE);
            if (entered == Status.OK) {
                pair[0] = value;
                pair[1] = value;
                leave();
            }
            return entered;
        }

        /** Removes the chunk and ends all holds. */
        @Operation(params = "thread", runOnce = true)
        public int remove(int thread) {
            int entered = enter(LockIntent.REMOVE);
            if (entered == Status.OK) {
                write(CID, EntryWord.free(1, 0));
                locks.endAllInside(CID);
                leave();
            }
            return entered;
        }

        int enter(LockIntent want) {
            return locks.enter(CID, want, 0);
        }

        void leave() {
            locks.leave(CID);
        }
    }

    /** Operations ignore the locks. */
    public static final class NoGate extends Locks {
        @Override
        int enter(LockIntent want) {
            return EntryWord.isChunk(read(Locks.CID), Locks.CID) ? Status.OK : Status.ABSENT;
        }

        @Override
        void leave() {}
    }

    /** The rules, one thread at a time. */
    public static final class Rules {
        private final int[] reads = new int[THREADS_MAX];
        private int writer = NOBODY;
        private int readers;
        private boolean gone;
        private int content;

        /** Takes a read hold. */
        public int lockRead(int thread) {
            if (gone || writer != NOBODY) {
                return gone ? Status.ABSENT : writer == thread ? THROWN : Status.LOCKED;
            }
            reads[thread]++;
            readers++;
            return Status.OK;
        }

        /** Takes the exclusive hold. */
        public int lockWrite(int thread) {
            if (gone || writer == thread || reads[thread] > 0) {
                return gone ? Status.ABSENT : THROWN;
            }
            if (writer != NOBODY || readers > 0) {
                return Status.LOCKED;
            }
            writer = thread;
            return Status.OK;
        }

        /** Ends a hold. */
        public int unlock(int thread) {
            if (writer == thread) {
                writer = NOBODY;
            } else if (reads[thread] > 0) {
                reads[thread]--;
                readers--;
            } else {
                return gone ? Status.ABSENT : Status.NOT_HELD;
            }
            return Status.OK;
        }

        /** Exchanges a read hold for the exclusive one. */
        public int goUp(int thread) {
            if (gone || reads[thread] == 0) {
                return gone ? Status.ABSENT : Status.NOT_HELD;
            }
            if (readers > 1) {
                return Status.LOCKED;
            }
            reads[thread] = 0;
            readers = 0;
            writer = thread;
            return Status.OK;
        }

        /** Exchanges the exclusive hold for a read hold. */
        public int goDown(int thread) {
            if (writer != thread) {
                return Status.NOT_HELD;
            }
            writer = NOBODY;
            reads[thread] = 1;
            readers = 1;
            return Status.OK;
        }

        /** Reads the content. */
        public int get(int thread) {
            return gone ? Status.ABSENT : writer != NOBODY && writer != thread ? Status.LOCKED : content;
        }

        /** Writes the content. */
        public int put(int thread, int value) {
            int allowed = change(thread);
            content = allowed == Status.OK ? value : content;
            return allowed;
        }

        /** Removes the chunk and ends all holds. */
        public int remove(int thread) {
            int allowed = change(thread);
            if (allowed == Status.OK) {
                gone = true;
                writer = NOBODY;
                readers = 0;
                Arrays.fill(reads, 0);
            }
            return allowed;
        }

        private int change(int thread) {
            boolean others = writer != NOBODY && writer != thread || readers > reads[thread];
            return gone ? Status.ABSENT : others ? Status.LOCKED : Status.OK;
        }
    }

    @Test
    void check_locksAndGate_areLinearizable() {
        ModelChecking.mustBeLinearizable(Locks.class, Rules.class);
    }

    @Test
    void check_operationsWithoutTheGate_areCaught() {
        ModelChecking.mustBeCaught(NoGate.class, Rules.class);
    }
}
