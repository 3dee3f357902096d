package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A page that its owner gives up while a slot is freed is not lost. */
@JCStressTest
@Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "the owner or a list has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a page with a free slot that nobody will find")
public class ExhaustedStress {
    /** Looks for a slot; gives the page up if there is none. */
    @Actor
    public void owner(ActivePageState s) {
        s.page.claimOrGiveUp();
    }

    /** Frees a slot. */
    @Actor
    public void freer(ActivePageState s) {
        s.firstLists = s.page.free(0);
    }

    /** Looks for the page. */
    @Arbiter
    public void end(ActivePageState s, Z_Result r) {
        r.r1 = s.page.isLost();
    }
}
