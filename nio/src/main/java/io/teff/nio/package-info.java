/**
 * The TCP transport: bytes between nodes by {@code java.nio}.
 *
 * <p><b>Contents.</b> The {@code tcp:} transport of the cluster: a selector per agent, a single call for a long run of
 * small messages, a socket for both directions, optional TLS.
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the connection is reported as lost. Memory per connection is
 * bounded. A connection in a steady state allocates nothing per message, and an idle agent sleeps.
 *
 * <p><b>Fault model.</b> Peers that reset, stall, half-open, or send a byte at a time; a process out of file
 * descriptors.
 *
 * <p><b>Neighbours.</b> Implements the transport interface of the cluster. The cluster finds this transport as a
 * service. Depends on no other part of the cluster, and knows neither chunks nor message types.
 */
@NullMarked
package io.teff.nio;

import org.jspecify.annotations.NullMarked;
