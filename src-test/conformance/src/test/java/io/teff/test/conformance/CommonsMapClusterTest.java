package io.teff.test.conformance;

/** Tests of maps from Apache Commons Collections, on a cluster. */
public final class CommonsMapClusterTest extends CommonsMapTest {
    @Override
    Fresh kind() {
        return Fresh.CLUSTER;
    }
}
