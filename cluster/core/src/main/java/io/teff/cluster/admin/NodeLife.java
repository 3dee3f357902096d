package io.teff.cluster.admin;

/**
 * One life of a node. A restarted peer has the same NID and a higher incarnation.
 *
 * @param nid id of the node
 * @param incarnation counts the starts of a peer, from 1; 0 for superpeers
 */
public record NodeLife(int nid, int incarnation) {
    @Override
    public String toString() {
        return "node " + nid + "/" + incarnation;
    }
}
