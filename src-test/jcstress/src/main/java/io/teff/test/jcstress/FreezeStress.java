package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** When freezing returns, no writer is inside. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the writer came later")
@Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "the writer had left")
@Outcome(expect = Expect.FORBIDDEN, desc = "a writer was inside")
public class FreezeStress {
    /** Changes both words inside of the stripe. */
    @Actor
    public void writer(PairState s) {
        s.stripes.enter(0);
        s.write(7);
        s.stripes.leave(0);
    }

    /** Freezes, reads, thaws. */
    @Actor
    public void freezer(PairState s, JJ_Result r) {
        s.stripes.freeze();
        s.read(r);
        s.stripes.thaw();
    }
}
