package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** All claims of a send ring lie before the position of its close, and none behind. */
@JCStressTest
@Outcome(id = "0, 24", expect = Expect.ACCEPTABLE, desc = "claimed before")
@Outcome(id = "-2, 0", expect = Expect.ACCEPTABLE, desc = "closed before")
@Outcome(expect = Expect.FORBIDDEN, desc = "a frame behind the end")
public class RingCloseStress {
    /** Puts a frame. */
    @Actor
    public void sender(RingState s, JJ_Result r) {
        r.r1 = s.ring.put(1);
    }

    /** Closes. */
    @Actor
    public void agent(RingState s, JJ_Result r) {
        r.r2 = s.ring.close();
    }
}
