/**
 * Contexts of UCX, workers, and their connections to peers.
 *
 * <p><b>Contents.</b> A {@link io.teff.rdma.ucx.worker.UcxContext} has the transports of the machine. A context makes
 * {@link io.teff.rdma.ucx.worker.UcxWorker}s, which move operations, and {@link io.teff.rdma.ucx.memory.UcxMemory},
 * which peers reach. A worker makes {@link io.teff.rdma.ucx.worker.UcxEndpoint}s, which connect the worker to workers
 * of peers, by address or through a {@link io.teff.rdma.ucx.worker.UcxListener}. Endpoints send tagged messages, active
 * messages and streams, and open {@link io.teff.rdma.ucx.memory.UcxRemoteMemory}.
 *
 * <p><b>Promise.</b> Failures are values ({@link io.teff.rdma.ucx.UcxStatus}) for operations and exceptions with a
 * status for calls. A peer that dies fails its endpoints and nothing else. Objects are closed in order. A call of a
 * closed object throws {@link java.lang.IllegalStateException} and never reaches UCX.
 *
 * <p><b>Fault model.</b> Settings without a transport; peers that are missing, reject, stall or are killed; threads
 * that use a worker against its rule; objects that are closed with operations under way.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.ucx.memory} and {@code io.teff.rdma.ucx.message}. Start with
 * {@link io.teff.rdma.ucx.worker.UcxContext}.
 */
@NullMarked
package io.teff.rdma.ucx.worker;

import org.jspecify.annotations.NullMarked;
