package io.teff.test.jcstress;

import io.teff.engine.table.EntryWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A reader that finds a new chunk finds its content. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a chunk without its content")
public class PublicationStress {
    /** Writes the payload, then publishes the entry. */
    @Actor
    public void creator(PairState s) {
        s.write(7);
        s.memory.putLongRelease(s.pair + 2 * Long.BYTES, EntryWord.chunk(EntryWord.PLAIN, 0, 16, s.pair));
    }

    /** Looks up the chunk, and reads its payload if it exists. */
    @Actor
    public void reader(PairState s, JJ_Result r) {
        long entry = s.memory.getLongAcquire(s.pair + 2 * Long.BYTES);
        PairState.report(r, PairState.RETRY);
        if (EntryWord.isReadable(entry, 1)) {
            r.r1 = s.memory.getLong(EntryWord.address(entry));
            r.r2 = s.memory.getLong(EntryWord.address(entry) + Long.BYTES);
        }
    }
}
