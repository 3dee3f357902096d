/**
 * What goes over a link: the bytes of frames, control frames and greetings, and the two sides of a handshake.
 *
 * <p>{@code docs/PROTOCOL.md} is the reference. Nothing here does input or output or knows time or threads: frames are
 * written and read in memory of the caller's, greetings are records. What breaks a rule is a {@link
 * io.teff.cluster.net.wire.ProtocolException}, before anything is allocated for it.
 */
@NullMarked
package io.teff.cluster.net.wire;

import org.jspecify.annotations.NullMarked;
