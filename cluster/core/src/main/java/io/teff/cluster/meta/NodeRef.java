package io.teff.cluster.meta;

/**
 * One life of a node: the NID and the incarnation. A restarted node has a higher incarnation, so a statement about an
 * earlier life never counts for a later life.
 *
 * @param nid the node's id
 * @param incarnation number of the life: counts the node's starts, from 1
 */
public record NodeRef(int nid, int incarnation) implements Comparable<NodeRef> {
    @Override
    public int compareTo(NodeRef reference) {
        return nid != reference.nid ? Integer.compare(nid, reference.nid)
            : Integer.compare(incarnation, reference.incarnation);
    }

    @Override
    public String toString() {
        return "node " + nid + "/" + incarnation;
    }
}
