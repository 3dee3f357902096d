package io.teff.test.jcstress;

import io.teff.engine.alloc.NativePage;
import org.openjdk.jcstress.annotations.State;

/** A page of two used slots that belongs to its owner. */
@State
public class ActivePageState {
    final NativePage page = new NativePage(Cells.MEMORY, Cells.take(), false);
    boolean firstLists;
    boolean secondLists;
}
