package io.teff.cluster.net.wire;

/**
 * A node as it introduces itself.
 *
 * @param nid its number, 0 to 65,534
 * @param incarnation number of its start, greater than those before
 * @param clusterHigh first half of the cluster's id
 * @param clusterLow second half
 * @param features bits of {@link Features} that it has
 */
public record Identity(int nid, long incarnation, long clusterHigh, long clusterLow, int features) {
    /**
     * Adds features.
     *
     * @param more bits of {@link Features}
     * @return a node with these, too
     */
    public Identity with(int more) {
        return new Identity(nid, incarnation, clusterHigh, clusterLow, features | more);
    }
}
