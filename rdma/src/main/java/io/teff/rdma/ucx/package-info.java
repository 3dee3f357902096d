/**
 * OpenUCX from Java: messages, streams and remote memory over shared memory, TCP and RDMA, by one interface.
 *
 * <p><b>Contents.</b> A {@link io.teff.rdma.ucx.UcxContext} has the transports of the machine. It makes {@link
 * io.teff.rdma.ucx.UcxWorker}s, which move operations, and {@link io.teff.rdma.ucx.UcxMemory}, which peers reach. A
 * worker makes {@link io.teff.rdma.ucx.UcxEndpoint}s, which connect it to workers of peers, by address or through a
 * {@link io.teff.rdma.ucx.UcxListener}. Endpoints send tagged messages, active messages and streams, and open {@link
 * io.teff.rdma.ucx.UcxRemoteMemory}. Each operation has a {@link io.teff.rdma.ucx.UcxRequest}, which is made once and
 * used again and again.
 *
 * <p><b>Promise.</b> An operation allocates nothing, and UCX calls nothing back for it; the one exception, which UCX
 * demands, is the handler of active messages. Failures are values ({@link io.teff.rdma.ucx.UcxStatus}) for operations
 * and exceptions with a status for calls. A peer that dies fails its endpoints and nothing else. Objects are closed in
 * order; a call of a closed object throws {@link java.lang.IllegalStateException} and never reaches UCX. UCX's signal
 * handlers are kept out of the JVM.
 *
 * <p><b>Fault model.</b> A missing library, or one that is too old; settings without a transport; peers that are not
 * there, reject, stall or are killed; damaged addresses and keys; buffers that are too small; threads that use a worker
 * against its rule; objects that are closed with operations under way. Peers are trusted: see {@link
 * io.teff.rdma.ucx.UcxMemory}. The arena of a caller's segment must not be closed while an operation uses it.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.ffi}. Constants of the structs are in {@code UcpLayout}, the
 * functions in {@code SetupCall} and {@code DataCalls}, the calls from UCX in {@code Callbacks}. Needs libucp 1.13 or
 * newer (Debian: libucx0). Not bound: generic data types, reply endpoints of active messages, memory of graphics cards.
 */
@NullMarked
package io.teff.rdma.ucx;

import org.jspecify.annotations.NullMarked;
