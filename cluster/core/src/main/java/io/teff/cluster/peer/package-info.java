/**
 * Peers: nodes that own zones, and keep backups of the zones of others.
 *
 * <p><b>Promise.</b> A peer answers an operation on a zone only while it is the zone's owner and holds its lease, and
 * not before the operation has reached its level. A zone whose owner has died is restored by its most advanced backup,
 * from that backup's own log.
 *
 * <p><b>Fault model.</b> Peers stop, pause and come back at any moment; messages are lost with their sessions.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.peer.Peer} starts a peer.
 */
@NullMarked
package io.teff.cluster.peer;

import org.jspecify.annotations.NullMarked;
