package io.teff.cluster.net.wire;

/**
 * A node's introduction of itself.
 *
 * @param nid of the node, 0 to 65,534
 * @param incarnation number of the node's start, greater than all earlier numbers
 * @param clusterHigh first half of the cluster's id
 * @param clusterLow second half
 * @param features bits of {@link Features} supported by the node
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
