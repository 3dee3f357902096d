package io.teff.test.conformance;

/** Tests of sets from Apache Commons Collections, on a cluster. */
public final class CommonsSetClusterTest extends CommonsSetTest {
    @Override
    Fresh kind() {
        return Fresh.CLUSTER;
    }
}
