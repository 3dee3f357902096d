/**
 * The transport over Aeron, {@code aeron:udp} and {@code aeron:ipc}.
 *
 * <p>A link is a pair of Aeron streams, one in each direction. The dialer sends on the listener's stream. The image
 * there corresponds to the accepted connection of a listening socket. The listener sends on a stream made by the dialer
 * for this link alone. The first messages, CONNECT and ACCEPT, join the two. Bytes follow, in pieces no longer than
 * Aeron's messages, and at the end CLOSE.
 *
 * <p><b>Start here.</b> {@code AeronTransport} is the transport, {@code AeronClient} the work of a transport with a
 * media driver, {@code LinkSetup} the way to a link, and {@code AeronLink} the link.
 *
 * <p>Aeron needs a flag of the JVM ({@link io.teff.cluster.aeron.JvmFlag}). No class of Aeron is used before a node
 * listens or connects at such an address, so programs that do not use Aeron do not need the flag.
 */
@NullMarked
package io.teff.cluster.aeron;

import org.jspecify.annotations.NullMarked;
