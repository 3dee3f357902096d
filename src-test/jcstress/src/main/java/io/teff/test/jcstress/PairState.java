package io.teff.test.jcstress;

import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Clock;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two plain words in native memory and the stripe that guards them. */
@State
public class PairState {
    /** Reported by a reader that would start again. */
    static final long RETRY = -1;
    /** Reported by a reader that found the stripe closed. */
    static final long CLOSED = -2;

    final Memory memory = Cells.MEMORY;
    final Stripes stripes = new Stripes(1, Clock.SYSTEM, "jcstress");
    final long pair = Cells.take();

    /** Both words are 0. */
    public PairState() {
        this(0);
    }

    /** Both words have a given value. */
    PairState(long value) {
        memory.putLong(pair, value);
        memory.putLong(pair + Long.BYTES, value);
    }

    /** Writes both words. */
    final void write(long value) {
        memory.putLong(pair, value);
        memory.putLong(pair + Long.BYTES, value);
    }

    /** Reads both words. */
    final void read(JJ_Result result) {
        result.r1 = memory.getLong(pair);
        result.r2 = memory.getLong(pair + Long.BYTES);
    }

    /** Reports that the read is invalid. */
    static void report(JJ_Result result, long what) {
        result.r1 = what;
        result.r2 = what;
    }
}
