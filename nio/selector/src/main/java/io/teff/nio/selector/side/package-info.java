/**
 * The proof of a shared secret between two programs on different machines, as steps over bytes.
 *
 * <p><b>Contents.</b> {@code SideHandshake} is the state machine of the proof, {@code FrameSeal} the codes of the
 * frames behind the proof. {@code SideSecret} reads the secret, {@code SideNetworks} tells at which addresses a
 * program looks for peers.
 *
 * <p><b>Promise.</b> A handshake is done only if the peer has the secret, and has proven the secret with the numbers of
 * this handshake. A frame behind the handshake is believed only if the peer has sealed the frame for this place of this
 * connection. The lengths of all messages of the handshake are constants.
 *
 * <p><b>Fault model.</b> Strangers connect, send any bytes, repeat recorded bytes, send bytes back, and change bytes on
 * their way. Strangers do not know the secret. The bytes are proven and not encrypted.
 *
 * <p><b>Neighbours.</b> Used by the links. Depends on the JDK alone, and touches no socket.
 */
@NullMarked
package io.teff.nio.selector.side;

import org.jspecify.annotations.NullMarked;
