/**
 * RDMA from Java: what the bindings of the native libraries have in common.
 *
 * <p><b>Contents.</b> The failures of native calls, and the interface of all objects that stand for a native one. The
 * bindings are packages of their own: {@code io.teff.rdma.verbs.device}, {@code verbs.queue} and {@code verbs.connect}
 * for libibverbs and librdmacm, {@code io.teff.rdma.ucx} and the packages below for OpenUCX.
 *
 * <p><b>Promise.</b> Classes load on every machine; without a library, the first call throws an {@link
 * io.teff.rdma.RdmaUnavailableException} that names the package to install. Objects close their dependents first, a
 * second close does nothing, and a call of a closed object throws {@link java.lang.IllegalStateException}: it never
 * reaches native code. Each failed call has its errno by name.
 *
 * <p><b>Fault model.</b> Missing libraries, libraries of another version, a kernel without RDMA, failed calls,
 * completions with an error, full queues, a peer that ends while its memory is read.
 *
 * <p><b>Neighbours.</b> Uses nothing but the JDK. The module {@code io.teff.rdma.transport} implements the transport
 * interface of the cluster over the bindings, and {@code io.teff.rdma.reads} reads chunks of a store in another
 * process.
 */
@NullMarked
package io.teff.rdma;

import org.jspecify.annotations.NullMarked;
