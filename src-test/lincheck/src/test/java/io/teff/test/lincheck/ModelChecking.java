package io.teff.test.lincheck;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.os.Clock;
import io.teff.test.kit.Form;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * The settings of this lane: all operations run concurrently, none before or after, so every operation runs on a thread
 * with its own number. The property {@code teff.long} makes the lane three times longer.
 */
public final class ModelChecking {
    /** A clock that stands still; waiting yields to other threads, so that it does not block the model checker. */
    public static final Clock TIME = new Clock() {
        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public void park(Object blocker, long ns) {
            Thread.yield();
        }
    };

    private static final int FACTOR = Form.size(1, 3);
    private static final int SCENARIOS = Form.size(1, 6, 75);
    /** The search ends with the first failing scenario. */
    private static final int TWIN_SCENARIOS_MAX = 25 * FACTOR;
    private static final int INVOCATIONS = 400 * FACTOR;

    private ModelChecking() {}

    /** Requires that the specification explains all histories of the tested class. */
    public static void mustBeLinearizable(Class<?> tested, Class<?> specification) {
        options(SCENARIOS, specification).check(tested);
    }

    /** Requires that a broken twin has a history that the specification cannot explain. */
    public static void mustBeCaught(Class<?> twin, Class<?> specification) {
        assertThrows(LincheckAssertionError.class,
            () -> options(TWIN_SCENARIOS_MAX, specification).minimizeFailedScenario(false).check(twin));
    }

    private static ModelCheckingOptions options(int scenarios, Class<?> specification) {
        return new ModelCheckingOptions().threads(2).actorsPerThread(3).actorsBefore(0).actorsAfter(0)
            .iterations(scenarios).invocationsPerIteration(INVOCATIONS).sequentialSpecification(specification);
    }
}
