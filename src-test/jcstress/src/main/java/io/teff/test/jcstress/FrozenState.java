package io.teff.test.jcstress;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.State;

/** A pair with a stripe word of its own, for a twin that breaks the rules of stripes. */
@State
public class FrozenState extends PairState {
    final AtomicLong word = new AtomicLong();
}
