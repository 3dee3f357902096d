package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link ListerStress} with the decision made before the step. */
@JCStressTest
@JCStressMeta(ListerStress.class)
public class ListerStressWeakenedTwin {
    /** Frees one slot. */
    @Actor
    public void first(FullPageState s) {
        s.firstLists = s.page.freeCheckThenAct(0);
    }

    /** Frees the other. */
    @Actor
    public void second(FullPageState s) {
        s.secondLists = s.page.freeCheckThenAct(1);
    }

    /** Counts the listers. */
    @Arbiter
    public void sum(FullPageState s, I_Result r) {
        r.r1 = (s.firstLists ? 1 : 0) + (s.secondLists ? 1 : 0);
    }
}
