package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

import java.util.concurrent.atomic.AtomicLong;

/** Shows that the lane works: two atomic increments are never lost. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both increments")
@Outcome(expect = Expect.FORBIDDEN, desc = "an increment was lost")
@State
public class CounterStress {
    private final AtomicLong counter = new AtomicLong();

    /** One of two equal actors. */
    @Actor
    public void first() {
        counter.incrementAndGet();
    }

    /** The other one. */
    @Actor
    public void second() {
        counter.incrementAndGet();
    }

    /** Reads the sum when both are done. */
    @Arbiter
    public void sum(J_Result result) {
        result.r1 = counter.get();
    }
}
