package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link MapStress} with a reader that calls twice, for the length and for the bytes. */
@JCStressTest
@JCStressMeta(MapStress.class)
public class MapStressWeakenedTwin {
    /** Replaces the value. */
    @Actor
    public void writer(MapState s) {
        s.replace();
    }

    /** Reads the value. */
    @Actor
    public void reader(MapState s, II_Result r) {
        r.r1 = s.get();
        s.get();
        r.r2 = s.valueOf(r.r1);
    }

    /** Removes the chunk or value. */
    @Arbiter
    public void end(MapState s) {
        MapState.MAP.delete(s.key);
    }
}
