package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A reader that validates never sees one half of a change. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "the reader would start again")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "a torn pair")
public class SeqlockStress {
    /** Changes both words inside of the stripe. */
    @Actor
    public void writer(PairState s) {
        s.stripes.enter(0);
        s.write(7);
        s.stripes.leave(0);
    }

    /** Reads both words, then validates that they belong to one state. */
    @Actor
    public void reader(PairState s, JJ_Result r) {
        long begun = s.stripes.begin(0);
        s.read(r);
        if (!s.stripes.unchanged(0, begun)) {
            PairState.report(r, PairState.RETRY);
        }
    }
}
