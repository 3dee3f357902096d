package io.teff.cluster.meta;

/**
 * A backup of a zone in the zone's current configuration.
 *
 * @param node the life of the node that keeps it; a restarted node keeps nothing that counts
 * @param copy number of the copy; each new copy of a zone has the zone's next number, so that a node never mistakes the
 *     rest of an earlier copy for a later one
 */
public record Backup(NodeRef node, int copy) {}
