/**
 * Many stores that act as one.
 *
 * <p><b>State.</b> Being built: superpeers, peers and the client exist; migration, collections over the
 * network and exactly-once changes do not yet.
 * Messages between nodes, on which it builds, are a separate module: {@link io.teff.cluster.net}.
 *
 * <p><b>What will live here.</b> Superpeers, which keep the cluster's metadata by consensus; peers, which keep chunks
 * in memory and the history of other peers' chunks in their logs; backup zones, migration, jobs, the name service, and
 * the daemon that runs all this. A cluster's store has the same interface as a local one.
 *
 * <p><b>Promise.</b> Each chunk has one owner at a time, and operations on one chunk are linearizable. One copy of a
 * chunk is in memory; its history lies on the disks of several backup peers. A write that was acknowledged as backed is
 * not lost while one current backup of its zone survives. An owner without a valid lease serves nothing.
 *
 * <p><b>Fault model.</b> Nodes stop, pause and come back; messages are lost, delayed, doubled and reordered; the
 * network splits in any shape; disks fail. Clocks are only trusted to run at nearly the same speed. Nodes do not lie.
 *
 * <p><b>Neighbours.</b> Builds on messaging, on the recovery module and, through both, on the engine. Transports live
 * in other modules and are found at run time: this module never names them. The terminal is a separate module, too.
 */
@NullMarked
package io.teff.cluster;

import org.jspecify.annotations.NullMarked;
