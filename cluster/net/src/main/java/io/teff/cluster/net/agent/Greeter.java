package io.teff.cluster.net.agent;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.ListenerHandshake;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The decisions of a node in a handshake: whether to take the link, and which session the link carries. */
interface Greeter {
    /** Returns the identity of the cluster, as far as known. */
    ClusterId cluster();

    /** Returns random bytes for a greeting. */
    byte[] nonce();

    /** Returns this node's side of the handshake of a dialed link. */
    DialerHandshake dialing(Connection connection, Channel link);

    /** Returns this node's side of the handshake of an accepted link. */
    ListenerHandshake listening(Channel link);

    /** Returns why an unauthenticated dialer is refused, or null. */
    @Nullable Refusal check(Channel link, Greeting.Hello hello) throws RefusedException;

    /** Returns the WELCOME for an authenticated dialer: WELCOME names the session. */
    Greeting.Proof welcome(Channel link, Greeting.Hello hello, Greeting.Proof offered) throws RefusedException;

    /** Returns the session of a dialed link whose listener has authenticated. */
    Session welcomed(Channel link, DialerHandshake handshake) throws IOException;

    /** Returns the session of an accepted link whose dialer has authenticated, and was sent WELCOME. */
    Session proved(Channel link, ListenerHandshake handshake) throws IOException;
}
