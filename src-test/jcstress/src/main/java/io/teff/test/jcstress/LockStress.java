package io.teff.test.jcstress;

import io.teff.engine.error.Status;
import io.teff.engine.lock.LockIntent;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** While a thread holds a chunk exclusively, operations of other threads wait. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "an operation passed an exclusive lock")
public class LockStress {
    /** Writes while it holds the chunk, outside of the stripe. */
    @Actor
    public void writer(LockState s) {
        s.locks.lock(LockState.CID, true, LockState.TIMEOUT_NS);
        s.writeSlowly(7);
        s.locks.unlock(LockState.CID);
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
