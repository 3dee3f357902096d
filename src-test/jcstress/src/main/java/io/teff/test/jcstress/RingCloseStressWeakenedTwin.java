package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link RingCloseStress} with a close by a load and a store. */
@JCStressTest
@JCStressMeta(RingCloseStress.class)
public class RingCloseStressWeakenedTwin {
    /** Puts a frame. */
    @Actor
    public void sender(RingState s, JJ_Result r) {
        r.r1 = s.ring.put(1);
    }

    /** Closes. */
    @Actor
    public void agent(RingState s, JJ_Result r) {
        r.r2 = s.ring.closeTorn();
    }
}
