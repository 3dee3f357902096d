package io.teff.test.jcstress;

import io.teff.engine.alloc.NativePage;
import org.openjdk.jcstress.annotations.State;

/** A page of two used slots that its owner has given up. */
@State
public class FullPageState {
    final NativePage page = new NativePage(Cells.MEMORY, Cells.take(), true);
    boolean firstLists;
    boolean secondLists;
}
