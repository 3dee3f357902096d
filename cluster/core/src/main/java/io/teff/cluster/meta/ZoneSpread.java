package io.teff.cluster.meta;

/**
 * A person gives a served zone a backup more, or takes a backup away that the zone has beyond the wanted number. Both
 * together replace a backup, and the zone never has fewer backups than before. A class of its own file: by its name it
 * comes behind all earlier commands.
 *
 * @param zone id of the zone
 * @param epoch the epoch of the row seen by the person
 * @param node the life that becomes a learner, or the backup that is given up
 * @param isAdded whether the node is added
 */
public record ZoneSpread(int zone, int epoch, NodeRef node, boolean isAdded) implements Command.OfOperators {}
