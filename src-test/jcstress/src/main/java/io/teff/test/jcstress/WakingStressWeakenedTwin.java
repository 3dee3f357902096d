package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.Z_Result;

/** {@link WakingStress} with an agent that does not check a second time. */
@JCStressTest
@JCStressMeta(WakingStress.class)
public class WakingStressWeakenedTwin {
    /** Puts a frame. */
    @Actor
    public void sender(WakingState s) {
        s.waking.send();
    }

    /** Stops polling. */
    @Actor
    public void agent(WakingState s) {
        s.waking.lookAwayBlindly();
    }

    /** Checks the final state. */
    @Arbiter
    public void end(WakingState s, Z_Result r) {
        r.r1 = s.waking.isForgotten();
    }
}
