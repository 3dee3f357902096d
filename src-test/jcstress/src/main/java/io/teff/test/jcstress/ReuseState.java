package io.teff.test.jcstress;

import io.teff.engine.table.EntryWord;
import org.openjdk.jcstress.annotations.State;

/** A chunk of two words, its entry, and the bitmap bit of its slot. */
@State
public class ReuseState extends PairState {
    final long entry = pair + 2 * Long.BYTES;
    private final long bitmap = pair + 3 * Long.BYTES;

    /** Creates a chunk with the values 3, 3. */
    public ReuseState() {
        super(3);
        memory.putLong(entry, EntryWord.chunk(EntryWord.PLAIN, 0, 16, pair));
    }

    /** Like the engine, ends the entry and frees the slot inside the stripe, then claims and writes it outside. */
    final void removeAndReuse() {
        stripes.enter(0);
        memory.putLongRelease(entry, EntryWord.free(1, 0));
        memory.getAndOrLong(bitmap, 1);
        if (memory.getAndSetLong(bitmap, 0) == 1) {
            write(7);
        }
        stripes.leave(0);
    }
}
