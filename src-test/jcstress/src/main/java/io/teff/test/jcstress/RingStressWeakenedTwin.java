package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link RingStress} with frames that are committed before they are written. */
@JCStressTest
@JCStressMeta(RingStress.class)
public class RingStressWeakenedTwin {
    /** Puts a frame. */
    @Actor
    public void first(RingState s) {
        s.ring.putTorn(1);
    }

    /** Puts another frame, and reads as the agent. */
    @Actor
    public void second(RingState s, II_Result r) {
        s.ring.putTorn(2);
        r.r1 = s.ring.frames();
    }

    /** Checks the final state. */
    @Arbiter
    public void end(RingState s, II_Result r) {
        r.r2 = s.ring.frames();
    }
}
