/**
 * The replicated log of the superpeers, by Aeron Cluster.
 *
 * <p><b>Promise.</b> All members apply the same commands in the same order to their {@link
 * io.teff.cluster.meta.MetadataMachine}; a command whose reply a proposer has received is kept while a majority of the
 * members' disks is.
 *
 * <p><b>Fault model.</b> Members stop, pause and come back; a proposal may be applied and its reply lost, so it is
 * repeated, and commands tolerate that.
 *
 * <p><b>Neighbours.</b> Only this package knows Aeron Cluster: another consensus engine needs another {@link
 * io.teff.cluster.consensus.MetadataLog} and nothing else. Members talk over UDP without authentication, so they are
 * bound to the address of the configuration, loopback unless another one is given.
 *
 * <p>Raft: D. Ongaro, J. Ousterhout, "In search of an understandable consensus algorithm", USENIX ATC 2014.
 */
@NullMarked
package io.teff.cluster.consensus;

import org.jspecify.annotations.NullMarked;
