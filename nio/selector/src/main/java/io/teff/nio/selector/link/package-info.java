/**
 * The links of the provider: how peers find each other beside the TCP connection, and the bytes by UCX.
 *
 * <p><b>Contents.</b> {@code Fabric} is the face. {@code ListenerRegistry} has the listening addresses of programs with
 * the provider. {@code SideConnection} carries offers between two programs. {@code UcxCore} is the worker of UCX with
 * its thread, {@code PeerPath} an endpoint between two programs, {@code ByteLink} the bytes of a connection, {@code
 * TcpWatch} looks after the TCP connections of links.
 *
 * <p><b>Promise.</b> Bytes arrive in order and once, or the connection ends with a reset. Another program at the end of
 * the TCP connection never sees a byte of this protocol. A link without unread bytes holds no memory for bytes.
 *
 * <p><b>Fault model.</b> Programs that end, stall, or listen at a port of an earlier program; stale files of the
 * registry; a missing library. Programs of the same user are trusted.
 *
 * <p><b>Neighbours.</b> Used by the channels. Uses the binding of UCX.
 */
@NullMarked
package io.teff.nio.selector.link;

import org.jspecify.annotations.NullMarked;
