package io.teff.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits in tests for what a background thread does. */
final class Await {
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final long STEP_NS = 1_000_000;

    private Await() {}

    /** Returns as soon as the condition holds; fails if it does not come to hold. */
    static void until(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NS) {
                throw new AssertionError("waited in vain");
            }
            LockSupport.parkNanos(STEP_NS);
        }
    }
}
