/**
 * The metadata of a cluster: nodes, zones, owners and backups, and the events in their lives.
 *
 * <p><b>Promise.</b> {@link io.teff.cluster.meta.MetadataMachine} is a deterministic state machine: the same commands
 * in the same order lead to the same state, on each superpeer and after each restart. The machine reads no clock and
 * draws no random numbers. In each state a zone has at most one owner, and the epoch of a zone rises with each change
 * of owner or backups.
 *
 * <p><b>Fault model.</b> A command may be proposed several times, late, or never. A command overtaken by another
 * command is answered as stale and changes nothing.
 *
 * <p><b>Neighbours.</b> The superpeers host the machine on a replicated log; a list hosts it in the tests. Nodes learn
 * the tables and act on the tables: no separate orders are sent.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.meta.ZoneRow} and its states, then {@link
 * io.teff.cluster.meta.Command}, then the machine.
 */
@NullMarked
package io.teff.cluster.meta;

import org.jspecify.annotations.NullMarked;
