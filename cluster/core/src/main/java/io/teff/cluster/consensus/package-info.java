/**
 * The replicated log of the superpeers as its users see it, and the bytes of proposals and snapshots.
 *
 * <p><b>Promise.</b> All members apply the same commands in the same order to their
 * {@link io.teff.cluster.meta.MetadataMachine}; once a proposer has received its reply, a command is kept while a
 * majority of the members' disks survives.
 *
 * <p><b>Fault model.</b> Members stop, pause and come back; a proposal may be applied although its reply is lost, so
 * proposals are repeated, and commands tolerate repetition.
 *
 * <p><b>Neighbours.</b> {@code raft} implements {@link io.teff.cluster.consensus.SuperpeerLog} with MicroRaft. Another
 * consensus engine needs another implementation and nothing else.
 */
@NullMarked
package io.teff.cluster.consensus;

import org.jspecify.annotations.NullMarked;
