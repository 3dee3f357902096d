package io.teff.test.jcstress;

import io.teff.engine.table.Table;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.J_Result;

/** A reader that finds a page of the chunk table finds it filled. */
@JCStressTest
@Outcome(id = "-2", expect = Expect.ACCEPTABLE, desc = "no page yet")
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "a free entry")
@Outcome(expect = Expect.FORBIDDEN, desc = "previous content of the memory")
public class DirectoryStress {
    /** Creates the page. */
    @Actor
    public void maker(DirectoryState s) {
        DirectoryState.TABLE.makeEntry(s.index);
    }

    /** Looks up an entry. */
    @Actor
    public void reader(DirectoryState s, J_Result r) {
        long entry = DirectoryState.TABLE.entry(s.index);
        r.r1 = entry == Table.NO_ENTRY ? -2 : DirectoryState.MEMORY.getLong(entry);
    }

    /** Releases the page. */
    @Arbiter
    public void end(DirectoryState s) {
        s.release();
    }
}
