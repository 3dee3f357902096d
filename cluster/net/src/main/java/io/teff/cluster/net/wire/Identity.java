package io.teff.cluster.net.wire;

/**
 * What a node says of itself.
 *
 * @param nid its number, 0 to 65,534
 * @param incarnation number of its start: another one each time, greater than those before
 * @param clusterHigh first half of the cluster's id
 * @param clusterLow second half
 * @param features bits of {@link Features}, those that it has
 */
public record Identity(int nid, long incarnation, long clusterHigh, long clusterLow, int features) {
    /**
     * The same with further features.
     *
     * @param more bits of {@link Features}
     * @return it
     */
    public Identity with(int more) {
        return new Identity(nid, incarnation, clusterHigh, clusterLow, features | more);
    }
}
