/**
 * The way of changes from an owner's memory to the logs of its backups.
 *
 * <p><b>Promise.</b> The runs of a zone have the changes of the zone in the order of numbers, each change once and
 * whole, without a hole. A caller is notified only when all backups of the zone's current configuration have the change
 * of the caller. A ring without room refuses changes instead of waiting, so that threads of several peers never wait in
 * a circle.
 *
 * <p><b>Fault model.</b> Runs and acknowledgements are lost, late, doubled and reordered; backups fall silent, restart,
 * and are replaced. Threads end between the claim and the commit of a record, also because a stack has ended.
 *
 * <p><b>Neighbours.</b> The engine writes to {@link io.teff.cluster.ship.ShipRing} as its journal. The bytes of records
 * are those of {@code io.teff.recovery.backup}. The peer sends what {@link io.teff.cluster.ship.Shipper} hands out, and
 * passes on what comes back.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.ship.ShipRing}, then {@link io.teff.cluster.ship.ZoneShipment}.
 */
@NullMarked
package io.teff.cluster.ship;

import org.jspecify.annotations.NullMarked;
