package io.teff.test.jcstress;

import io.teff.engine.table.EntryWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A reader never returns bytes of the chunk that got its chunk's memory. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "the reader would start again, or the chunk is absent")
@Outcome(id = "3, 3", expect = Expect.ACCEPTABLE, desc = "the chunk")
@Outcome(expect = Expect.FORBIDDEN, desc = "another chunk's bytes")
public class ReuseStress {
    /** Removes the chunk; its memory is reused for a new chunk, which is not guarded by the stripe. */
    @Actor
    public void remover(ReuseState s) {
        s.removeAndReuse();
    }

    /** Proves the entry, copies, proves that the stripe did not change meanwhile. */
    @Actor
    public void reader(ReuseState s, JJ_Result r) {
        long begun = s.stripes.begin(0);
        long word = s.memory.getLongAcquire(s.entry);
        boolean proven = EntryWord.isReadable(word, 1) && s.stripes.unchanged(0, begun);
        if (proven) {
            s.read(r);
        }
        if (!proven || !s.stripes.unchanged(0, begun)) {
            PairState.report(r, PairState.RETRY);
        }
    }
}
