package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.I_Result;

/** A list that is taken while an index is returned loses and duplicates no index. */
@JCStressTest
@Outcome(id = "11", expect = Expect.ACCEPTABLE, desc = "both, once")
@Outcome(expect = Expect.FORBIDDEN, desc = "an index was lost or duplicated")
public class TakeStress {
    /** Returns index 1 to the list. */
    @Actor
    public void push(FreeListState s) {
        s.list.push(1);
    }

    /** Takes the whole list. */
    @Actor
    public void take(FreeListState s) {
        s.taken = s.list.detach();
    }

    /** Takes the rest. */
    @Arbiter
    public void all(FreeListState s, I_Result r) {
        r.r1 = s.taken + s.list.detach();
    }
}
