package io.teff.cluster.meta;

/**
 * A backup of a zone in the zone's current configuration.
 *
 * @param node the life of the node that keeps the copy; copies of earlier lives of the node do not count
 * @param copy number of the copy; each new copy of a zone takes the zone's next number, so a node never mistakes the
 *     rest of an earlier copy for a later copy
 * @param isCut whether a power cut may have cost the copy its end: the copy has every change acknowledged by the disk,
 *     and may lack later acknowledged changes. True at most until the zone is served again
 */
public record Backup(NodeRef node, int copy, boolean isCut) {
    /** Makes a backup with a complete copy. */
    public Backup(NodeRef node, int copy) {
        this(node, copy, false);
    }

    /**
     * {@return whether this names no copy, but says that a copy of the node has later changes than those that count,
     * and may not be the whole zone: the zone waits until a person gives it up. After a rebuild of the metadata only}
     */
    public boolean isDoubtful() {
        return node.incarnation() == Rebuild.NEVER;
    }

    /** {@return whether both name one copy of one life} */
    public boolean isSame(Backup other) {
        return node.equals(other.node) && copy == other.copy;
    }

    /** {@return the copy as one that has everything} */
    Backup whole() {
        return isCut ? new Backup(node, copy) : this;
    }
}
