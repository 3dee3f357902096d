/**
 * The protocol of one zone between its owner and its backups, as pure values: a message in, a new state out.
 *
 * <p><b>Promise.</b> A change that {@link io.teff.cluster.zone.ZoneOwner#acknowledged} covers is in the log of every
 * backup of the zone's current configuration, and in that of each owner that follows. A backup that has seen an epoch
 * takes nothing from an owner of a lower one.
 *
 * <p><b>Fault model.</b> Runs and acknowledgements are lost, late, doubled and reordered, nodes stop. Configurations
 * come from the cell ({@link io.teff.cluster.meta.MetadataMachine}); a node may see them late or miss some.
 *
 * <p><b>Numbers.</b> Each change of a zone has a number, {@link io.teff.cluster.zone.ZoneNumber}: the epoch of its
 * owner and a counter that rises by one with each change, across all owners. So a backup sees from the counter whether
 * a run is the next one, and of two entries of a chunk the higher number is the later one, also after a change of
 * owner.
 */
@NullMarked
package io.teff.cluster.zone;

import org.jspecify.annotations.NullMarked;
