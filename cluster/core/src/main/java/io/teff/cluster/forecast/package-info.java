/**
 * Forecasts for clusters that do not exist yet: the death of a peer, played with the placement of the product.
 *
 * <p><b>Content.</b> {@link io.teff.cluster.forecast.DeathSimulation} gives zones to the peers of a {@link
 * io.teff.cluster.meta.MetadataMachine}, ends a peer, and counts the bytes that each other peer reads, sends and
 * receives. {@link io.teff.cluster.forecast.Outage} draws peers that are lost together.
 *
 * <p><b>Promise.</b> Owners, backups and new backups are chosen by the machine, as in a running cluster. Times follow
 * from bytes and rates alone; the machine model has no queues, no garbage in logs and no other load.
 *
 * <p><b>Neighbours.</b> Needs the metadata and the records of the administration. Pure, without time and threads.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.forecast.DeathSimulation}.
 */
@NullMarked
package io.teff.cluster.forecast;

import org.jspecify.annotations.NullMarked;
