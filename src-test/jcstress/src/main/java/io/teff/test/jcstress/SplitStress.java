package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A key is found while its bucket is split or merged. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "found")
@Outcome(expect = Expect.FORBIDDEN, desc = "missed")
public class SplitStress {
    /** Splits the bucket, or merges it. */
    @Actor
    public void splitter(SplitState s) {
        SplitState.TABLE.toggle();
    }

    /** Searches for the key that moves. */
    @Actor
    public void reader(SplitState s, Z_Result r) {
        r.r1 = SplitState.TABLE.isFound();
    }
}
