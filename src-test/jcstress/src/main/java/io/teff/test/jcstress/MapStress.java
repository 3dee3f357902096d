package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.II_Result;

/** A get of a map returns the bytes of exactly one put. */
@JCStressTest
@Outcome(id = "8, 1", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "100, 2", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "a mix")
public class MapStress {
    /** Replaces the value. */
    @Actor
    public void writer(MapState s) {
        s.replace();
    }

    /** Reads the value. */
    @Actor
    public void reader(MapState s, II_Result r) {
        r.r1 = s.get();
        r.r2 = s.valueOf(r.r1);
    }

    /** Removes the chunk or value. */
    @Arbiter
    public void end(MapState s) {
        MapState.MAP.delete(s.key);
    }
}
