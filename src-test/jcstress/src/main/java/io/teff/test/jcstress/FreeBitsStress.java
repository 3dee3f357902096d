package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two slots of one bitmap word that are freed concurrently are both free. */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a slot was lost")
public class FreeBitsStress {
    /** Frees one slot. */
    @Actor
    public void first(FullPageState s) {
        s.page.setBit(0);
    }

    /** Frees the other. */
    @Actor
    public void second(FullPageState s) {
        s.page.setBit(1);
    }

    /** Reads the free slots. */
    @Arbiter
    public void sum(FullPageState s, I_Result r) {
        r.r1 = s.page.freeSlots();
    }
}
