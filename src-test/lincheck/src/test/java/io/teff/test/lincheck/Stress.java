package io.teff.test.lincheck;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.test.kit.Form;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** The settings of stress tests of collections: Lincheck's model checker does not observe off-heap memory. */
final class Stress {
    private static final int SCENARIOS = Form.size(1, 2, 16);
    /** The search ends with the first failing scenario. */
    private static final int TWIN_SCENARIOS_MAX = 500;
    private static final int INVOCATIONS = 1_000;

    private Stress() {}

    /** Requires that the specification explains all histories of the tested class. */
    static void mustBeLinearizable(Class<?> tested, Class<?> specification) {
        options(SCENARIOS, specification).check(tested);
    }

    /** Requires that a broken twin has a history that the specification cannot explain. */
    static void mustBeCaught(Class<?> twin, Class<?> specification) {
        assertThrows(LincheckAssertionError.class,
            () -> options(TWIN_SCENARIOS_MAX, specification).minimizeFailedScenario(false).check(twin));
    }

    private static StressOptions options(int scenarios, Class<?> specification) {
        return new StressOptions().threads(2).actorsPerThread(3).actorsBefore(1).actorsAfter(1).iterations(scenarios)
            .invocationsPerIteration(INVOCATIONS).sequentialSpecification(specification);
    }
}
