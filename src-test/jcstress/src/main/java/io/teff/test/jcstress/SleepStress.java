package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A handler thread that goes to sleep finds a task that is added meanwhile, or is woken. */
@JCStressTest
@Outcome(id = {"true, false", "false, true", "true, true"}, expect = Expect.ACCEPTABLE, desc = "woken or found")
@Outcome(expect = Expect.FORBIDDEN, desc = "a task that no thread runs")
public class SleepStress {
    /** Adds a task. */
    @Actor
    public void adder(SleepState s, ZZ_Result r) {
        r.r1 = s.sleeping.add();
    }

    /** Tries to sleep. */
    @Actor
    public void sleeper(SleepState s, ZZ_Result r) {
        r.r2 = s.sleeping.isFound();
    }
}
