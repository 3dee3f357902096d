package io.teff.test.conformance;

import io.teff.test.kit.tier.FullTier;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The tests of {@link GuavaSortedMapTest}, on a cluster. */
@FullTier("a minute on a cluster; CollectionModelTest has such a collection of a cluster in the gate, and the "
    + "pom of the module leaves this class out")
@RunWith(AllTests.class)
public final class GuavaSortedMapClusterTest {
    private GuavaSortedMapClusterTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return GuavaSortedMapTest.suite(Fresh.CLUSTER);
    }
}
