package io.teff.test.jcstress;

import io.teff.cluster.net.thread.Sleeping;
import org.openjdk.jcstress.annotations.State;

/** An empty queue without a sleeping thread. */
@State
public class SleepState {
    final Sleeping sleeping = new Sleeping();
}
