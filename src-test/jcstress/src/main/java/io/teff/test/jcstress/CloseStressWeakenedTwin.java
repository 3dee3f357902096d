package io.teff.test.jcstress;

import io.teff.engine.error.StoreClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link CloseStress} with a reader that does not validate. */
@JCStressTest
@JCStressMeta(CloseStress.class)
public class CloseStressWeakenedTwin {
    /** Closes as the store does: freeze, close the stripes, give the memory back, which then reads as zero. */
    @Actor
    public void closer(OpenState s) {
        s.stripes.freeze();
        s.stripes.close();
        s.write(0);
    }

    /** Reads without validation. */
    @Actor
    public void reader(OpenState s, JJ_Result r) {
        try {
            s.stripes.begin(0);
            s.read(r);
        } catch (StoreClosedException e) {
            PairState.report(r, PairState.CLOSED);
        }
    }
}
