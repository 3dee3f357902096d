/**
 * The replicated log of the superpeers, by MicroRaft over Teff's links and disks.
 *
 * <p><b>Promise.</b> That of {@code consensus}: the same commands in the same order, kept while a majority of disks
 * survives. Nothing but a superpeer of the cluster, proven by its link, reaches a member.
 *
 * <p><b>Fault model.</b> Messages are lost, late, doubled and reordered. Processes stop at any moment; a disk may lose
 * what it has not synced, in any combination of sectors, or may be lost as a whole. Clocks may be set: a member
 * measures by the monotonic clock.
 *
 * <p><b>Neighbours.</b> Only this package knows MicroRaft. {@code superpeer} sends and receives the messages.
 *
 * <p>Start with {@link io.teff.cluster.raft.RaftLog}, the log of one superpeer, and
 * {@link io.teff.cluster.raft.RaftCore}, the algorithm between its seams.
 *
 * <p>Raft: D. Ongaro, J. Ousterhout, "In search of an understandable consensus algorithm", USENIX ATC 2014.
 */
@NullMarked
package io.teff.cluster.raft;

import org.jspecify.annotations.NullMarked;
