package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link FreeBitsStress} with bits set by a load and a store. */
@JCStressTest
@JCStressMeta(FreeBitsStress.class)
public class FreeBitsStressWeakenedTwin {
    /** Frees one slot. */
    @Actor
    public void first(FullPageState s) {
        s.page.setBitTorn(0);
    }

    /** Frees the other. */
    @Actor
    public void second(FullPageState s) {
        s.page.setBitTorn(1);
    }

    /** Reads the free slots. */
    @Arbiter
    public void sum(FullPageState s, I_Result r) {
        r.r1 = s.page.freeSlots();
    }
}
