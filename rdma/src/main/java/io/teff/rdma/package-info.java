/**
 * The RDMA transports: bytes between nodes without the kernel, by ibverbs and UCX.
 *
 * <p><b>State.</b> Planned. This page is the contract of the package, which has no code yet.
 *
 * <p><b>Contents.</b> Bindings of the two native libraries by the foreign function interface of the JDK, without C
 * code, and two transports of the cluster that use them: {@code verbs:} with reliable-connected queue pairs, and {@code
 * ucx:} with endpoints.
 *
 * <p><b>Promise.</b> The promise of every transport: bytes arrive in order and once, or the connection is reported as
 * lost. Without the hardware or the libraries, opening the transport fails with one sentence; the other transports
 * work. Registered memory has a limit.
 *
 * <p><b>Fault model.</b> Missing libraries, libraries of another version, completions with an error, full queues, a
 * peer that ends during an access to its memory.
 *
 * <p><b>Neighbours.</b> Will implement the transport interface of the cluster, which will find it as a service. Needs
 * native access; no other module of the project calls a network library.
 */
@NullMarked
package io.teff.rdma;

import org.jspecify.annotations.NullMarked;
