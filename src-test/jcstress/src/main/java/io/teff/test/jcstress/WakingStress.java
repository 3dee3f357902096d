package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.Z_Result;

/** An agent that stops polling a connection finds a frame that is put meanwhile, or is notified. */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "found or notified")
@Outcome(expect = Expect.FORBIDDEN, desc = "a frame that no thread sends")
public class WakingStress {
    /** Puts a frame. */
    @Actor
    public void sender(WakingState s) {
        s.waking.send();
    }

    /** Stops polling. */
    @Actor
    public void agent(WakingState s) {
        s.waking.lookAway();
    }

    /** Checks the final state. */
    @Arbiter
    public void end(WakingState s, Z_Result r) {
        r.r1 = s.waking.isForgotten();
    }
}
