/**
 * The transports over RDMA libraries: what they have in common.
 *
 * <p><b>Contents.</b> The form of their addresses. Each transport is a package of its own: {@code ucx} over
 * OpenUCX, {@code verbs} over RDMA devices.
 *
 * <p><b>Promise.</b> Where a native library is missing, the first use of an address says what to install, and nothing
 * else of a program notices.
 *
 * <p><b>Fault model.</b> That of the bindings: missing libraries, peers that die, stall or leave, connections that
 * break; and peers that send what the protocol does not have. Peers are trusted as far as the libraries trust them.
 *
 * <p><b>Neighbours.</b> Implements the transport interface of the messaging; uses the bindings and nothing else.
 */
@NullMarked
package io.teff.rdma.transport;

import org.jspecify.annotations.NullMarked;
