package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A page is not lost if its owner gives it up while a slot is freed. */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the owner or a list has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a page with a free slot that nobody will find")
public class ExhaustedStress {
    /** Searches for a slot; gives the page up if there is none. */
    @Actor
    public void owner(ActivePageState s) {
        s.page.claimOrGiveUp();
    }

    /** Frees a slot. */
    @Actor
    public void freer(ActivePageState s) {
        s.firstLists = s.page.free(0);
    }

    /** Checks that the page is not lost. */
    @Arbiter
    public void end(ActivePageState s, Z_Result r) {
        r.r1 = s.page.isLost();
    }
}
