package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link PushStress} with pushes by a load and a store. */
@JCStressTest
@JCStressMeta(PushStress.class)
public class PushStressWeakenedTwin {
    /** Returns index 1 to the list. */
    @Actor
    public void first(FreeListState s) {
        s.list.pushTorn(1);
    }

    /** Returns index 2 to the list. */
    @Actor
    public void second(FreeListState s) {
        s.list.pushTorn(2);
    }

    /** Takes the whole list. */
    @Arbiter
    public void all(FreeListState s, I_Result r) {
        r.r1 = s.list.detach();
    }
}
