/**
 * The nio house: bytes between nodes over TCP, by {@code java.nio}.
 *
 * <p><b>State.</b> Planned, not built. This page is the room's contract; there is no code behind it yet.
 *
 * <p><b>What will live here.</b> The {@code tcp:} transport of the cluster: one or more event loops over selectors,
 * long runs of small messages written by one gathering call, both directions in one socket. Later also a selector
 * provider that lets programs written for {@code java.nio} run over the RDMA transports without a change.
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the connection is reported as lost. Memory per connection is
 * bounded. Nothing is allocated per message once a connection runs evenly, and an idle loop sleeps.
 *
 * <p><b>Fault model.</b> Peers that reset, stall, half-open, or send a byte at a time; a process out of file
 * descriptors.
 *
 * <p><b>Neighbours.</b> Will implement the cluster's transport interface and be found by it as a service; it stands
 * alone until that interface exists. It knows no chunk, no message type and no other part of the cluster.
 */
@NullMarked
package io.teff.nio;

import org.jspecify.annotations.NullMarked;
