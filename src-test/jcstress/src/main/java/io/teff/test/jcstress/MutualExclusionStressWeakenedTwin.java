package io.teff.test.jcstress;

import io.teff.engine.error.Status;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.J_Result;

/** {@link MutualExclusionStress} with one thread that does not lock. */
@JCStressTest
@JCStressMeta(MutualExclusionStress.class)
public class MutualExclusionStressWeakenedTwin {
    /** Counts while it holds the chunk. */
    @Actor
    public void first(LockState s) {
        s.locks.lock(LockState.CID, true, LockState.TIMEOUT_NS);
        s.count();
        s.locks.unlock(LockState.CID);
    }

    /** Counts like the first actor. */
    @Actor
    public void second(LockState s) {
        s.count();
    }

    /** Reads the count and checks that the chunk is free. */
    @Arbiter
    public void sum(LockState s, J_Result r) {
        r.r1 = s.locks.lock(LockState.CID, true, 0) == Status.OK ? s.memory.getLong(s.pair) : PairState.RETRY;
    }
}
