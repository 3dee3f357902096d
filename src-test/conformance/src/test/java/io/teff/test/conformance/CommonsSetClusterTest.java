package io.teff.test.conformance;

import io.teff.test.kit.tier.FullTier;

/** Tests of sets from Apache Commons Collections, on a cluster. */
@FullTier("8 s on a cluster; CollectionModelTest has such a collection of a cluster in the gate")
public final class CommonsSetClusterTest extends CommonsSetTest {
    @Override
    Fresh kind() {
        return Fresh.CLUSTER;
    }
}
