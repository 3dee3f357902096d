package io.teff.test.jcstress;

import io.teff.engine.table.EntryWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link ReuseStress} without the validation after the copy. */
@JCStressTest
@JCStressMeta(ReuseStress.class)
public class ReuseStressWeakenedTwin {
    /** Removes the chunk; its memory is reused for a new chunk, which is not guarded by the stripe. */
    @Actor
    public void remover(ReuseState s) {
        s.removeAndReuse();
    }

    /** Proves the entry and copies. */
    @Actor
    public void reader(ReuseState s, JJ_Result r) {
        long begun = s.stripes.begin(0);
        long word = s.memory.getLongAcquire(s.entry);
        boolean proven = EntryWord.isReadable(word, 1) && s.stripes.unchanged(0, begun);
        if (proven) {
            s.read(r);
        } else {
            PairState.report(r, PairState.RETRY);
        }
    }
}
