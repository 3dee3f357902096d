/**
 * Many stores acting as one store.
 *
 * <p>Messages between nodes are a separate module: {@link io.teff.cluster.net}.
 *
 * <p><b>Content.</b> Superpeers keep the cluster's metadata by consensus; peers keep chunks in memory, and keep the
 * history of other peers' chunks in their logs; clients have the interface of a local store, with its collections.
 * Services coordinate processes. Jobs and compute groups run code of the application at the data.
 *
 * <p><b>Promise.</b> Each chunk has one owner at a time, and operations on one chunk are linearizable. One copy of a
 * chunk is in memory; the history of the chunk lies on the disks of several backup peers. A write acknowledged as
 * backed is not lost while a current backup of the chunk's zone survives. An owner without a valid lease serves
 * nothing.
 *
 * <p><b>Fault model.</b> Nodes stop, pause and come back; messages are lost, delayed, doubled and reordered; the
 * network splits in any shape; disks fail. Clocks are only trusted to run at nearly the same speed. Nodes do not lie.
 *
 * <p><b>Neighbours.</b> Builds on messaging, on the recovery module and, through both, on the engine. Transports live
 * in other modules and are found at run time: this module never names a transport. The terminal is a separate module,
 * too.
 */
@NullMarked
package io.teff.cluster;

import org.jspecify.annotations.NullMarked;
