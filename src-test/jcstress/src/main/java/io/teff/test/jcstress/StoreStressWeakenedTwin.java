package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link StoreStress} with a reader that calls twice, for the length and for the bytes. */
@JCStressTest
@JCStressMeta(StoreStress.class)
public class StoreStressWeakenedTwin {
    /** Replaces the chunk's content. */
    @Actor
    public void writer(StoreState s) {
        s.replace();
    }

    /** Reads the chunk. */
    @Actor
    public void reader(StoreState s, II_Result r) {
        r.r1 = (int) StoreState.STORE.size(s.cid);
        StoreState.STORE.getBytes(s.cid, 0, s.target, 0, r.r1);
        r.r2 = s.valueOf(r.r1);
    }

    /** Removes the chunk or value. */
    @Arbiter
    public void end(StoreState s) {
        StoreState.STORE.remove(s.cid);
    }
}
