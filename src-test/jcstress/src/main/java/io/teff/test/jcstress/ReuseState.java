package io.teff.test.jcstress;

import io.teff.engine.table.EntryWord;
import org.openjdk.jcstress.annotations.State;

/** A chunk of two words, its entry, and the bit of the bitmap that says whether its slot is free. */
@State
public class ReuseState extends PairState {
    final long entry = pair + 2 * Long.BYTES;
    private final long bitmap = pair + 3 * Long.BYTES;

    /** A chunk that says 3, 3. */
    public ReuseState() {
        super(3);
        memory.putLong(entry, EntryWord.chunk(EntryWord.PLAIN, 0, 16, pair));
    }

    /** As the engine does: end the entry and free the slot inside of the stripe, claim it and write to it outside. */
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
