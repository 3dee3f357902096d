package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.State;

/** A pair that says 7, 7 in an open store. */
@State
public class OpenState extends PairState {
    /** Open. */
    public OpenState() {
        super(7);
    }
}
