package io.teff.test.conformance;

import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The tests of {@link GuavaSortedMapTest}, on a cluster. */
@RunWith(AllTests.class)
public final class GuavaSortedMapClusterTest {
    private GuavaSortedMapClusterTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return GuavaSortedMapTest.suite(Fresh.CLUSTER);
    }
}
