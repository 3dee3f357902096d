package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** {@link SleepStress} with tasks that are added without a fence. */
@JCStressTest
@JCStressMeta(SleepStress.class)
public class SleepStressWeakenedTwin {
    /** Adds a task. */
    @Actor
    public void adder(SleepState s, ZZ_Result r) {
        r.r1 = s.sleeping.addBlindly();
    }

    /** Tries to sleep. */
    @Actor
    public void sleeper(SleepState s, ZZ_Result r) {
        r.r2 = s.sleeping.isFound();
    }
}
