/**
 * The bytes on a link: frames, control frames and greetings, and the two sides of a handshake.
 *
 * <p>{@code docs/PROTOCOL.md} is the reference. Nothing here does input or output, or knows of time or threads: frames
 * are written and read in the caller's memory, greetings are records. Bytes that break a rule end with a
 * {@link io.teff.cluster.net.wire.ProtocolException}, before anything is allocated.
 */
@NullMarked
package io.teff.cluster.net.wire;

import org.jspecify.annotations.NullMarked;
