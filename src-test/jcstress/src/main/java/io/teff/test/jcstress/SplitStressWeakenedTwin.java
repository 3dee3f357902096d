package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.Z_Result;

/** {@link SplitStress} with a reader that does not check the bucket's level. */
@JCStressTest
@JCStressMeta(SplitStress.class)
public class SplitStressWeakenedTwin {
    /** Splits the bucket, or merges it. */
    @Actor
    public void splitter(SplitState s) {
        SplitState.TABLE.toggle();
    }

    /** Searches for the key that moves. */
    @Actor
    public void reader(SplitState s, Z_Result r) {
        r.r1 = SplitState.TABLE.isFoundWithoutLevel();
    }
}
