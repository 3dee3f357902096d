package io.teff.test.conformance;

import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The tests of {@link GuavaMapTest}, on a cluster. */
@RunWith(AllTests.class)
public final class GuavaMapClusterTest {
    private GuavaMapClusterTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return GuavaMapTest.suite(Fresh.CLUSTER);
    }
}
