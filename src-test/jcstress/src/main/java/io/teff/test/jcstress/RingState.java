package io.teff.test.jcstress;

import io.teff.cluster.net.ring.TinyRing;
import org.openjdk.jcstress.annotations.State;

/** An empty send ring. */
@State
public class RingState {
    final TinyRing ring = new TinyRing();
}
