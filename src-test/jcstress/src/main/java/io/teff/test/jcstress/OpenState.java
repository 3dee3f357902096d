package io.teff.test.jcstress;

import org.openjdk.jcstress.annotations.State;

/** A pair with the values 7, 7 in an open store. */
@State
public class OpenState extends PairState {
    /** Creates an open store. */
    public OpenState() {
        super(7);
    }
}
