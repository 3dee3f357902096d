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

    final ChunkLocks locks = new ChunkLocks(stripes, new Entry(memory, pair + 2 * Long.BYTES), Clock.SYSTEM);

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
