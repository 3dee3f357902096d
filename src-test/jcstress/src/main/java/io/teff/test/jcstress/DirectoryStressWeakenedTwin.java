package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.infra.results.J_Result;

/** {@link DirectoryStress} with the page published before it is filled. */
@JCStressTest
@JCStressMeta(DirectoryStress.class)
public class DirectoryStressWeakenedTwin {
    /** Publishes the page, then fills it. */
    @Actor
    public void maker(DirectoryState s) {
        s.element.setRelease(s.page);
        Cells.MEMORY.putLong(s.page, 0);
    }

    /** Looks up an entry. */
    @Actor
    public void reader(DirectoryState s, J_Result r) {
        long page = s.element.getAcquire();
        r.r1 = page == 0 ? -2 : Cells.MEMORY.getLong(page);
    }
}
