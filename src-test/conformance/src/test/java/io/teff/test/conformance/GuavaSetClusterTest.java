package io.teff.test.conformance;

import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The tests of {@link GuavaSetTest}, on a cluster. */
@RunWith(AllTests.class)
public final class GuavaSetClusterTest {
    private GuavaSetClusterTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return GuavaSetTest.suite(Fresh.CLUSTER);
    }
}
