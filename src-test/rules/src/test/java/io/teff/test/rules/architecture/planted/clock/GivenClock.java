package io.teff.test.rules.architecture.planted.clock;

import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;

/** A class that takes its clock and its threads from the caller. */
public record GivenClock(Clock clock, Threads threads) {}
