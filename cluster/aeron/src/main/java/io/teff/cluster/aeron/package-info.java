/**
 * Links over Aeron, {@code aeron:udp} and {@code aeron:ipc}.
 *
 * <p>A link is a pair of Aeron's streams, one in each direction, with sessions of their own: the dialer's leads to the
 * stream that the listener listens at, where its image is what a listening socket accepts; the listener's leads to a
 * stream that the dialer has made for this link alone. The first message of each, CONNECT and ACCEPT, makes the two one
 * link. What follows are bytes, in pieces that the messages of Aeron can hold, and CLOSE.
 *
 * <p>Aeron needs a flag of the JVM ({@link io.teff.cluster.aeron.JvmFlag}). Nothing of Aeron is touched before
 * somebody listens or connects, so who does not use it does not need the flag.
 */
@NullMarked
package io.teff.cluster.aeron;

import org.jspecify.annotations.NullMarked;
