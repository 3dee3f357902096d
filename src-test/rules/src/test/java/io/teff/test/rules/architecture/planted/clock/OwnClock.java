package io.teff.test.rules.architecture.planted.clock;

import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;

/** A class that chooses its clock and its threads. */
public record OwnClock(Clock clock, Threads threads) {
    /** Chooses both. */
    public OwnClock() {
        this(Clock.SYSTEM, Threads.SYSTEM);
    }
}
