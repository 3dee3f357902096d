package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.I_Result;

/** Of two concurrent freers of a full page exactly one lists it. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "one")
@Outcome(expect = Expect.FORBIDDEN, desc = "the page is listed twice or never")
public class ListerStress {
    /** Frees one slot. */
    @Actor
    public void first(FullPageState s) {
        s.firstLists = s.page.free(0);
    }

    /** Frees the other. */
    @Actor
    public void second(FullPageState s) {
        s.secondLists = s.page.free(1);
    }

    /** Counts the listers. */
    @Arbiter
    public void sum(FullPageState s, I_Result r) {
        r.r1 = (s.firstLists ? 1 : 0) + (s.secondLists ? 1 : 0);
    }
}
