package io.teff.tools.soak;

import io.teff.engine.Store;

/** Receives the progress of a run, on the conductor's thread; the run waits until a method returns. */
interface SoakObserver {
    /** The store is filled and the first cycle begins. The run detects any change of the store from here on. */
    default void begins(Store store) {}

    /** A cycle has ended; no other thread uses the store. */
    default void cycled(Sample sample) {}
}
