package io.teff.test.jcstress;

import io.teff.engine.table.NativeFreeList;
import org.openjdk.jcstress.annotations.State;

/** The free indexes of a table page: index 0 is in the list. */
@State
public class FreeListState {
    final NativeFreeList list = new NativeFreeList(Cells.MEMORY, Cells.take());
    int taken;

    /** Creates a list of one index. */
    public FreeListState() {
        list.push(0);
    }
}
