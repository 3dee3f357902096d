/**
 * Memory that peers read and write: registered memory of this process, and the memory of a peer.
 *
 * <p><b>Contents.</b> {@link io.teff.rdma.ucx.memory.UcxMemory} is registered memory; its key goes to a peer. {@link
 * io.teff.rdma.ucx.memory.UcxRemoteMemory} is what a peer opens with a key. {@link io.teff.rdma.ucx.memory.UcxAtomic}
 * names the atomic operations.
 *
 * <p><b>Promise.</b> Closing memory ends its operations first. A key of closed memory, or of a process that has ended
 * on this machine, is refused. An operation allocates nothing.
 *
 * <p><b>Fault model.</b> Damaged keys, ranges outside of the memory, peers that end while their memory is read. Peers
 * are trusted: see {@link io.teff.rdma.ucx.memory.UcxMemory}.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.ucx.message}. Used by {@code io.teff.rdma.ucx.worker}. Start with
 * {@link io.teff.rdma.ucx.memory.UcxMemory}.
 */
@NullMarked
package io.teff.rdma.ucx.memory;

import org.jspecify.annotations.NullMarked;
