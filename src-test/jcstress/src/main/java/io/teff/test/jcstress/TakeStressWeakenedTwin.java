package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link TakeStress} with the list taken by a load and a store. */
@JCStressTest
@JCStressMeta(TakeStress.class)
public class TakeStressWeakenedTwin {
    /** Returns index 1 to the list. */
    @Actor
    public void push(FreeListState s) {
        s.list.push(1);
    }

    /** Takes the whole list. */
    @Actor
    public void take(FreeListState s) {
        s.taken = s.list.detachTorn();
    }

    /** Takes the rest. */
    @Arbiter
    public void all(FreeListState s, I_Result r) {
        r.r1 = s.taken + s.list.detach();
    }
}
