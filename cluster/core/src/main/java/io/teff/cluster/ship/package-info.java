/**
 * The way of changes from an owner's memory to the logs of its backups.
 *
 * <p><b>Promise.</b> The runs of a zone, one after the other, are the changes of the zone in the order of their
 * numbers, each once and whole, without a hole. A caller is notified of an acknowledgement only when all backups of the
 * zone's current configuration have what it waits for. A ring without room refuses changes instead of waiting, so that
 * the threads of several peers never wait for each other in a circle.
 *
 * <p><b>Fault model.</b> Runs and acknowledgements are lost, late, doubled and reordered; backups fall silent, restart,
 * and are replaced. Threads end between the claim of a record and its commit, also because their stack has ended.
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
