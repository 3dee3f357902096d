package io.teff.test.jcstress;

import io.teff.engine.error.StoreClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A read during a close returns the content or finds the store closed; it never returns memory after release. */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "the reader would start again")
@Outcome(id = "-2, -2", expect = Expect.ACCEPTABLE, desc = "closed")
@Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "the content")
@Outcome(expect = Expect.FORBIDDEN, desc = "released memory")
public class CloseStress {
    /** Closes as the store does: freeze, close the stripes, give the memory back, which then reads as zero. */
    @Actor
    public void closer(OpenState s) {
        s.stripes.freeze();
        s.stripes.close();
        s.write(0);
    }

    /** Reads and validates. */
    @Actor
    public void reader(OpenState s, JJ_Result r) {
        try {
            long begun = s.stripes.begin(0);
            s.read(r);
            if (!s.stripes.unchanged(0, begun)) {
                PairState.report(r, PairState.RETRY);
            }
        } catch (StoreClosedException e) {
            PairState.report(r, PairState.CLOSED);
        }
    }
}
