package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.Z_Result;

/** An agent that looks away from a connection sees the frame that is put meanwhile, or is told of it. */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "seen or told")
@Outcome(expect = Expect.FORBIDDEN, desc = "a frame that nobody sends")
public class WakingStress {
    /** Puts a frame. */
    @Actor
    public void sender(WakingState s) {
        s.waking.send();
    }

    /** Looks away. */
    @Actor
    public void agent(WakingState s) {
        s.waking.lookAway();
    }

    /** Looks when all is over. */
    @Arbiter
    public void end(WakingState s, Z_Result r) {
        r.r1 = s.waking.isForgotten();
    }
}
