package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.Z_Result;

/** {@link ExhaustedStress} with an owner that does not check the number of used slots. */
@JCStressTest
@JCStressMeta(ExhaustedStress.class)
public class ExhaustedStressWeakenedTwin {
    /** Searches for a slot; gives the page up if there is none. */
    @Actor
    public void owner(ActivePageState s) {
        s.page.claimOrGiveUpBlindly();
    }

    /** Frees a slot. */
    @Actor
    public void freer(ActivePageState s) {
        s.firstLists = s.page.free(0);
    }

    /** Checks that the page is not lost. */
    @Arbiter
    public void end(ActivePageState s, Z_Result r) {
        r.r1 = s.page.isLost();
    }
}
