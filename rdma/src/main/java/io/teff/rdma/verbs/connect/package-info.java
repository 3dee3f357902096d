/**
 * Connections of queue pairs, by the connection manager of librdmacm or by an exchange of addresses over TCP.
 *
 * <p><b>Contents.</b> A {@link io.teff.rdma.verbs.connect.ConnectionManager} makes and accepts {@link
 * io.teff.rdma.verbs.connect.ConnectionId}s by IP address and port, and reports each step by a {@link
 * io.teff.rdma.verbs.connect.ConnectionEvent}. {@link io.teff.rdma.verbs.connect.AddressExchange} is for programs
 * without the manager.
 *
 * <p><b>Promise.</b> Any thread may use any object. Closing a connection closes its queue pair. A failed call throws an
 * {@link io.teff.rdma.RdmaException} with its errno; a failed step of a connection is an event.
 *
 * <p><b>Fault model.</b> A missing library, addresses without a device, peers that reject, stall or die, frames that
 * are damaged.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.verbs.queue} and {@code io.teff.rdma.verbs.device}. Start with
 * {@link io.teff.rdma.verbs.connect.ConnectionManager}.
 */
@NullMarked
package io.teff.rdma.verbs.connect;

import org.jspecify.annotations.NullMarked;
