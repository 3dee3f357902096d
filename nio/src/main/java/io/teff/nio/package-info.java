/**
 * The nio house: bytes between nodes over TCP, by {@code java.nio}.
 *
 * <p><b>What lives here.</b> The {@code tcp:} transport of the cluster: one selector for each agent, long runs of small
 * messages in one call, both directions in one socket, TLS where it is wanted. Later also a selector provider that lets
 * programs written for {@code java.nio} run over the RDMA transports without a change.
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the connection is reported as lost. Memory per connection is
 * bounded. Nothing is allocated per message once a connection runs evenly, and an idle loop sleeps.
 *
 * <p><b>Fault model.</b> Peers that reset, stall, half-open, or send a byte at a time; a process out of file
 * descriptors.
 *
 * <p><b>Neighbours.</b> Implements the cluster's transport interface and is found by it as a service. It knows no
 * chunk, no message type and no other part of the cluster.
 */
@NullMarked
package io.teff.nio;

import org.jspecify.annotations.NullMarked;
