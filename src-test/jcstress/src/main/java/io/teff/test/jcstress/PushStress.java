package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two indexes returned concurrently are both in the list, once. */
@JCStressTest
@Outcome(id = "111", expect = Expect.ACCEPTABLE, desc = "all three, once")
@Outcome(expect = Expect.FORBIDDEN, desc = "an index was lost or duplicated")
public class PushStress {
    /** Returns index 1 to the list. */
    @Actor
    public void first(FreeListState s) {
        s.list.push(1);
    }

    /** Returns index 2 to the list. */
    @Actor
    public void second(FreeListState s) {
        s.list.push(2);
    }

    /** Takes the whole list. */
    @Arbiter
    public void all(FreeListState s, I_Result r) {
        r.r1 = s.list.detach();
    }
}
