package io.teff.test.conformance;

import io.teff.test.kit.tier.FullTier;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The tests of {@link GuavaSortedMapTest} for maps of numbers, on sorted maps of a cluster in three ranges. */
@FullTier("a minute on a cluster; CollectionModelTest has a sorted map in ranges in the gate, and the pom of the "
    + "module leaves this class out")
@RunWith(AllTests.class)
public final class GuavaRangesClusterTest {
    private GuavaRangesClusterTest() {}

    /** Returns the tests for JUnit to run. */
    public static junit.framework.Test suite() {
        return GuavaSortedMapTest.suiteOfRanges();
    }
}
