package io.teff.test.conformance;

import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The tests of {@link GuavaListTest}, on a cluster. */
@RunWith(AllTests.class)
public final class GuavaListClusterTest {
    private GuavaListClusterTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return GuavaListTest.suite(Fresh.CLUSTER);
    }
}
