package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.J_Result;

/** {@link WriterStress} with one writer that does not enter. */
@JCStressTest
@JCStressMeta(WriterStress.class)
public class WriterStressWeakenedTwin {
    /** Counts inside of the stripe. */
    @Actor
    public void first(PairState s) {
        s.stripes.enter(0);
        s.write(s.memory.getLong(s.pair) + 1);
        s.stripes.leave(0);
    }

    /** Counts outside of the stripe. */
    @Actor
    public void second(PairState s) {
        s.write(s.memory.getLong(s.pair) + 1);
    }

    /** Reads the count. */
    @Arbiter
    public void sum(PairState s, J_Result r) {
        r.r1 = s.memory.getLong(s.pair);
    }
}
