package io.teff.cluster.net.wire;

import io.teff.cluster.net.identity.ClusterId;
import java.util.random.RandomGenerator;

/**
 * A node's introduction of itself.
 *
 * @param nid of the node, 0 to 65,534
 * @param incarnation number of the node's start, greater than all earlier numbers
 * @param cluster identity of the node's cluster; unknown for a node that has not met its cluster
 * @param features bits of {@link Features} supported by the node
 */
public record Identity(int nid, long incarnation, ClusterId cluster, int features) {
    private static final int RANDOM_BITS = 20;

    /**
     * Returns a number for the start of a node. Random bits tell apart two processes that start in the same
     * millisecond, and may have drawn the same NID.
     *
     * @param epochMs the time of the start, in milliseconds since 1970
     * @param random random numbers
     * @return a number that is above the numbers of earlier milliseconds
     */
    public static long incarnation(long epochMs, RandomGenerator random) {
        return epochMs << RANDOM_BITS | random.nextInt(1 << RANDOM_BITS);
    }

    /**
     * Replaces the cluster.
     *
     * @param value the identity of the cluster
     * @return this node in the cluster
     */
    public Identity in(ClusterId value) {
        return new Identity(nid, incarnation, value, features);
    }

    /**
     * Checks that a caller may be of this node's cluster.
     *
     * @param caller cluster of the caller
     * @throws RefusedException if the caller is of another cluster, or expects another name
     */
    void checkCaller(ClusterId caller) throws RefusedException {
        if (!cluster.fits(caller)) {
            throw RefusedException.ofCluster(caller, cluster);
        }
    }

    /**
     * Checks that a called node is of this node's cluster. If this node does not know its cluster, the called node may
     * be of any cluster with the expected name. If only the called node does not know its cluster, the called node may
     * become a node of another cluster, and is not used until then.
     *
     * @param called cluster of the called node
     * @throws RefusedException if the called node is of another cluster, or may become a node of another cluster
     */
    public void checkCalled(ClusterId called) throws RefusedException {
        checkCaller(called);
        if (cluster.isKnown() && !called.isKnown()) {
            throw new RefusedException(Refusal.NO_CLUSTER, true);
        }
    }

    /**
     * Adds features.
     *
     * @param more bits of {@link Features}
     * @return a node with these, too
     */
    public Identity with(int more) {
        return new Identity(nid, incarnation, cluster, features | more);
    }
}
