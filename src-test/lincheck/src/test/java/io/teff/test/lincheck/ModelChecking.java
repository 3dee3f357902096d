package io.teff.test.lincheck;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.os.Clock;
import io.teff.test.kit.Form;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * How this lane checks: all operations at once, no steps before or after, so every operation runs on a thread of its
 * own number. The property {@code teff.long} makes it ten times longer.
 */
public final class ModelChecking {
    /** A clock that stands still, and waiting that lets others run: a wait must not hang the model checker. */
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

    private static final int FACTOR = Form.size(1, 10);
    private static final int SCENARIOS = 25 * FACTOR;
    private static final int INVOCATIONS = 400 * FACTOR;

    private ModelChecking() {}

    /** Histories of the tested class must all be explained by the specification. */
    public static void mustBeLinearizable(Class<?> tested, Class<?> specification) {
        options(specification).check(tested);
    }

    /** The same for a broken twin, in which a history must be found that the specification cannot explain. */
    public static void mustBeCaught(Class<?> twin, Class<?> specification) {
        assertThrows(LincheckAssertionError.class,
            () -> options(specification).minimizeFailedScenario(false).check(twin));
    }

    private static ModelCheckingOptions options(Class<?> specification) {
        return new ModelCheckingOptions().threads(2).actorsPerThread(3).actorsBefore(0).actorsAfter(0)
            .iterations(SCENARIOS).invocationsPerIteration(INVOCATIONS).sequentialSpecification(specification);
    }
}
