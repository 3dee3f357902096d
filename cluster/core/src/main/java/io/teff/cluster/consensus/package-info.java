/**
 * The replicated log of the superpeers, by Aeron Cluster.
 *
 * <p><b>Promise.</b> All members apply the same commands in the same order to their
 * {@link io.teff.cluster.meta.MetadataMachine}; once a proposer has received its reply, a command is kept while a
 * majority of the members' disks survives.
 *
 * <p><b>Fault model.</b> Members stop, pause and come back; a proposal may be applied although its reply is lost, so
 * proposals are repeated, and commands tolerate repetition.
 *
 * <p><b>Neighbours.</b> Only this package knows Aeron Cluster: another consensus engine needs a new
 * {@link io.teff.cluster.consensus.MetadataLog} and nothing else. Members talk over UDP. Each
 * datagram proves the secret of the cluster; datagrams are not encrypted, so members bind to the address of the
 * configuration, by default the loopback address.
 * {@link io.teff.cluster.consensus.JoiningLog} decides when a superpeer takes part, and asks the other superpeers by
 * Teff's messages.
 *
 * <p>Raft: D. Ongaro, J. Ousterhout, "In search of an understandable consensus algorithm", USENIX ATC 2014.
 */
@NullMarked
package io.teff.cluster.consensus;

import org.jspecify.annotations.NullMarked;
