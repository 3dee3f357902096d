package io.teff.test.jcstress;

import io.teff.engine.lock.StripeWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link FreezeStress} with a freeze that does not wait for the writer inside. */
@JCStressTest
@JCStressMeta(FreezeStress.class)
public class FreezeStressWeakenedTwin {
    /** Changes both words, entering and leaving by the same rules. */
    @Actor
    public void writer(FrozenState s) {
        long word = s.word.get();
        long entered = StripeWord.entered(word);
        if (entered != StripeWord.REFUSED && s.word.compareAndSet(word, entered)) {
            s.write(7);
            s.word.getAndUpdate(frozen -> StripeWord.left(frozen & ~StripeWord.FROZEN) | frozen & StripeWord.FROZEN);
        }
    }

    /** Sets the bit even if a writer is inside, and reads. */
    @Actor
    public void freezer(FrozenState s, JJ_Result r) {
        s.word.getAndUpdate(word -> word | StripeWord.FROZEN);
        s.read(r);
    }
}
