package io.teff.test.conformance;

import io.teff.test.kit.tier.FullTier;

/** Tests of maps from Apache Commons Collections, on a cluster. */
@FullTier("25 s on a cluster; CollectionModelTest has such a collection of a cluster in the gate")
public final class CommonsMapClusterTest extends CommonsMapTest {
    @Override
    Fresh kind() {
        return Fresh.CLUSTER;
    }
}
