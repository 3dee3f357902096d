package io.teff.cluster.meta;

/**
 * A backup of a zone in the zone's current configuration.
 *
 * @param node the life of the node that keeps it; a restarted node keeps nothing that counts
 * @param copy number of the copy; each new copy of a zone has the zone's next number, so that a node never mistakes the
 *     rest of an earlier copy for a later one
 * @param isCut whether the copy may have lost its end by a power cut: it has every change that disks had acknowledged,
 *     and perhaps not what was acknowledged after that. Until the zone is served again
 */
public record Backup(NodeRef node, int copy, boolean isCut) {
    /** Makes a backup whose copy has lost nothing. */
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
