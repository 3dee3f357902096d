/**
 * RDMA from Java: what the bindings of the native libraries have in common.
 *
 * <p><b>Contents.</b> The failures of native calls, and the interface of all objects that stand for a native one. The
 * bindings are packages of their own: {@code io.teff.rdma.verbs} for libibverbs and librdmacm.
 *
 * <p><b>Promise.</b> Classes load on every machine; where a library is missing, the first call of it throws an {@link
 * io.teff.rdma.RdmaUnavailableException} that names the package to install. Objects close their dependents first, a
 * second close does nothing, and a call of a closed object throws {@link java.lang.IllegalStateException}: it never
 * reaches native code. Each failed call has its errno by name.
 *
 * <p><b>Fault model.</b> Missing libraries, libraries of another version, a kernel without RDMA, calls that fail,
 * completions with an error, full queues, a peer that ends during an access to its memory.
 *
 * <p><b>Neighbours.</b> Uses nothing but the JDK. Transports of the messaging over RDMA are planned; they will use the
 * bindings and implement the transport interface of the cluster.
 */
@NullMarked
package io.teff.rdma;

import org.jspecify.annotations.NullMarked;
