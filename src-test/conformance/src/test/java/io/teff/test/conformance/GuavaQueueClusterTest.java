package io.teff.test.conformance;

import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The tests of {@link GuavaQueueTest}, on a cluster. */
@RunWith(AllTests.class)
public final class GuavaQueueClusterTest {
    private GuavaQueueClusterTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return GuavaQueueTest.suite(Fresh.CLUSTER);
    }
}
