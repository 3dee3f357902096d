package io.teff.test.lincheck;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows that the lane works: a right counter passes and a wrong one is caught. To be replaced by tests of the store.
 */
final class HarnessTest {
    /** A counter that never loses an increment. */
    public static final class Counter {
        private final AtomicLong value = new AtomicLong();

        /** Adds one and returns the sum. */
        @Operation
        public long increment() {
            return value.incrementAndGet();
        }
    }

    /** The same counter with a gap between reading and writing. */
    public static final class TornCounter {
        private final AtomicLong value = new AtomicLong();

        /** Adds one and returns the sum. */
        @Operation
        public long increment() {
            long next = value.get() + 1;
            value.set(next);
            return next;
        }
    }

    @Test
    void check_atomicCounter_passes() {
        options().check(Counter.class);
    }

    @Test
    void check_tornCounter_isCaught() {
        assertThrows(LincheckAssertionError.class, () -> options().check(TornCounter.class));
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions().threads(2).actorsPerThread(3).iterations(10).invocationsPerIteration(200);
    }
}
