package io.teff.tools.soak;

import io.teff.engine.Store;

/** Is told how a run goes on, by the thread that conducts it. A run waits for what an observer does. */
interface SoakObserver {
    /** The store is filled; the first cycle begins. Whatever changes the store from here on is found by the run. */
    default void begins(Store store) {}

    /** A cycle is over; nothing is running. */
    default void cycled(Sample sample) {}
}
