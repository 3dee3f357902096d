package io.teff.test.jcstress;

import io.teff.engine.table.EntryWord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link PublicationStress} with the entry published before the payload. */
@JCStressTest
@JCStressMeta(PublicationStress.class)
public class PublicationStressWeakenedTwin {
    /** Publishes the entry, then writes the payload. */
    @Actor
    public void creator(PairState s) {
        s.memory.putLongRelease(s.pair + 2 * Long.BYTES, EntryWord.chunk(EntryWord.PLAIN, 0, 16, s.pair));
        s.write(7);
    }

    /** Looks up the chunk, and reads its payload if it exists. */
    @Actor
    public void reader(PairState s, JJ_Result r) {
        long entry = s.memory.getLongAcquire(s.pair + 2 * Long.BYTES);
        PairState.report(r, PairState.RETRY);
        if (EntryWord.isReadable(entry, 1)) {
            r.r1 = s.memory.getLong(EntryWord.address(entry));
            r.r2 = s.memory.getLong(EntryWord.address(entry) + Long.BYTES);
        }
    }
}
