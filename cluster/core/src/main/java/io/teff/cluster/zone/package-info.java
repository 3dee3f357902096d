/**
 * The protocol between the owner and the backups of one zone, as pure values: a message in, a new state out.
 *
 * <p><b>Promise.</b> A change that {@link io.teff.cluster.zone.ZoneOwner#acknowledged} covers is in the log of every
 * backup of the zone's current configuration, and in the log of each later owner. A backup takes nothing from an owner
 * whose epoch is lower than the highest epoch that the backup has seen.
 *
 * <p><b>Fault model.</b> Runs and acknowledgements are lost, late, doubled and reordered, nodes stop. Configurations
 * come from the cell ({@link io.teff.cluster.meta.MetadataMachine}); a node may see configurations late, or miss some.
 *
 * <p><b>Numbers.</b> Each change of a zone has a number, {@link io.teff.cluster.zone.ZoneNumber}: the epoch of the
 * owner and a counter. The counter rises by one with each change, across all owners. So a backup sees from the counter
 * whether a run is the next run. Of two entries of a chunk, the entry with the higher number is the later entry, also
 * after a change of owner.
 */
@NullMarked
package io.teff.cluster.zone;

import org.jspecify.annotations.NullMarked;
