/**
 * The common parts of the transports over RDMA libraries.
 *
 * <p><b>Contents.</b> The form of addresses, the base classes of transports and links, and the sleep of an agent. Each
 * transport is a package: {@code ucx} over OpenUCX, {@code verbs} over RDMA devices.
 *
 * <p><b>Promise.</b> If a native library is missing, the first use of an address names the package to install. The rest
 * of the program does not notice.
 *
 * <p><b>Fault model.</b> The faults of the bindings: missing libraries, broken connections, peers that die, stall or
 * leave. And a fault of peers: messages that the protocol does not have. Peers are trusted as far as the libraries
 * trust peers.
 *
 * <p><b>Neighbours.</b> Implements the transport interface of the messaging. Uses the bindings and the seams of the
 * engine.
 */
@NullMarked
package io.teff.rdma.transport;

import org.jspecify.annotations.NullMarked;
