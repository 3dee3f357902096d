package io.teff.test.jcstress;

import io.teff.engine.lock.ChunkLocks;
import io.teff.engine.lock.EntryWords;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Clock;
import io.teff.engine.table.EntryWord;
import org.openjdk.jcstress.annotations.State;

/** One chunk with its locks: the pair is its payload, the entry lies behind it. */
@State
public class LockState extends PairState {
    /** The chunk. */
    static final long CID = 1;
    /** Longer than any wait of the test. */
    static final long TIMEOUT_NS = 10_000_000_000L;

    /** A few hundred nanoseconds between two accesses, so that a missing lock is noticed soon. */
    private static final int PAUSE_SPINS = 20;

    final ChunkLocks locks = new ChunkLocks(stripes, new Entry(memory, pair + 2 * Long.BYTES), Clock.SYSTEM);

    private static void pause() {
        for (int i = 0; i < PAUSE_SPINS; i++) {
            Thread.onSpinWait();
        }
    }

    /** Writes both words, with a pause in between. */
    void writeSlowly(long value) {
        memory.putLong(pair, value);
        pause();
        memory.putLong(pair + Long.BYTES, value);
    }

    /** Adds 1 to both words, with a pause between reading and writing. */
    void count() {
        long value = memory.getLong(pair);
        pause();
        write(value + 1);
    }

    /** The entry, without holders at first. */
    private record Entry(Memory memory, long address) implements EntryWords {
        Entry {
            memory.putLong(address, EntryWord.chunk(EntryWord.PLAIN, 0, 16, address));
        }

        @Override
        public long read(long cid) {
            return memory.getLongAcquire(address);
        }

        @Override
        public void write(long cid, long word) {
            memory.putLongRelease(address, word);
        }
    }
}
