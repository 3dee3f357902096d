package io.teff.test.jcstress;

import io.teff.cluster.net.agent.Waking;
import org.openjdk.jcstress.annotations.State;

/** A connection on which all frames were sent. */
@State
public class WakingState {
    final Waking waking = new Waking();
}
