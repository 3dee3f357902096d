package io.teff.engine.os;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** The seam for random numbers. Implementations are thread-safe. */
@FunctionalInterface
public interface Chance extends RandomGenerator {
    /** Unpredictable numbers of this JVM, fit for secrets. */
    Chance SYSTEM = new SecureRandom()::nextLong;
}
