package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.J_Result;

/** Two writers of one stripe are never inside at the same time. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both counted")
@Outcome(expect = Expect.FORBIDDEN, desc = "a count was lost")
public class WriterStress {
    /** Counts inside of the stripe. */
    @Actor
    public void first(PairState s) {
        s.stripes.enter(0);
        s.write(s.memory.getLong(s.pair) + 1);
        s.stripes.leave(0);
    }

    /** Counts like the first actor. */
    @Actor
    public void second(PairState s) {
        s.stripes.enter(0);
        s.write(s.memory.getLong(s.pair) + 1);
        s.stripes.leave(0);
    }

    /** Reads the count. */
    @Arbiter
    public void sum(PairState s, J_Result r) {
        r.r1 = s.memory.getLong(s.pair);
    }
}
