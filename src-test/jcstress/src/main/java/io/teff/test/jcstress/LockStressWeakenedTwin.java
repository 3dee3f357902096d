package io.teff.test.jcstress;

import io.teff.engine.error.Status;
import io.teff.engine.lock.LockIntent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link LockStress} without the lock. */
@JCStressTest
@JCStressMeta(LockStress.class)
public class LockStressWeakenedTwin {
    /** Writes while it holds the chunk, outside of the stripe. */
    @Actor
    public void writer(LockState s) {
        s.writeSlowly(7);
    }

    /** Reads through the admission check of all operations. */
    @Actor
    public void reader(LockState s, JJ_Result r) {
        if (s.locks.enter(LockState.CID, LockIntent.READ, LockState.TIMEOUT_NS) == Status.OK) {
            s.read(r);
            s.locks.leave(LockState.CID);
        }
    }
}
