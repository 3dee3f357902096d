package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link SeqlockStress} with a reader that does not validate. */
@JCStressTest
@JCStressMeta(SeqlockStress.class)
public class SeqlockStressWeakenedTwin {
    /** Changes both words inside of the stripe. */
    @Actor
    public void writer(PairState s) {
        s.stripes.enter(0);
        s.write(7);
        s.stripes.leave(0);
    }

    /** Reads both words without validation. */
    @Actor
    public void reader(PairState s, JJ_Result r) {
        s.stripes.begin(0);
        s.read(r);
    }
}
