package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.II_Result;

/** The agent reads whole frames of a send ring, and finally all frames. */
@JCStressTest
@Outcome(id = {"0, 2", "1, 2", "2, 2"}, expect = Expect.ACCEPTABLE, desc = "whole frames")
@Outcome(expect = Expect.FORBIDDEN, desc = "a frame is half-written or lost")
public class RingStress {
    /** Puts a frame. */
    @Actor
    public void first(RingState s) {
        s.ring.put(1);
    }

    /** Puts another frame, and reads as the agent. */
    @Actor
    public void second(RingState s, II_Result r) {
        s.ring.put(2);
        r.r1 = s.ring.frames();
    }

    /** Checks the final state. */
    @Arbiter
    public void end(RingState s, II_Result r) {
        r.r2 = s.ring.frames();
    }
}
