package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.II_Result;

/** A get of a store returns the bytes of exactly one create or put. */
@JCStressTest
@Outcome(id = "8, 1", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "24, 2", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "a mix")
public class StoreStress {
    /** Replaces the chunk's content. */
    @Actor
    public void writer(StoreState s) {
        s.replace();
    }

    /** Reads the chunk. */
    @Actor
    public void reader(StoreState s, II_Result r) {
        r.r1 = StoreState.STORE.get(s.cid, s.target);
        r.r2 = s.valueOf(r.r1);
    }

    /** Removes the chunk or value. */
    @Arbiter
    public void end(StoreState s) {
        StoreState.STORE.remove(s.cid);
    }
}
