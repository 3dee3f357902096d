package io.teff.rdma.transport;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The common parts of links: the peer, the acceptor of an accepted link, and the receiver of the events. */
public abstract class RdmaLink implements Link {
    private final String peer;
    /** Takes an accepted link when the link is connected; null for a dialed link. */
    private final @Nullable Acceptor acceptor;
    private @Nullable LinkEvents events;

    /**
     * Makes a link.
     *
     * @param peer address of the peer, for messages
     * @param acceptor takes the link; null for a dialed link
     * @param events takes the events; null until the link is accepted
     */
    protected RdmaLink(String peer, @Nullable Acceptor acceptor, @Nullable LinkEvents events) {
        this.peer = peer;
        this.acceptor = acceptor;
        this.events = events;
    }

    /** {@return whether the link has ended} */
    public abstract boolean isOver();

    /** Ends the link, and reports the end with a reason; null if the peer has closed the link. */
    protected abstract void end(@Nullable IOException why);

    /** {@return whether the link was accepted; the greeting of an accepted link has a deadline} */
    public final boolean isAccepted() {
        return acceptor != null;
    }

    /** Hands an accepted link out: from now on there are events. The acceptor may close the link. */
    protected final void handOut() {
        if (acceptor != null) {
            events = acceptor.accepted(this);
        }
    }

    /** {@return the receiver of the events of a link; the link was dialed or handed out} */
    protected final LinkEvents events() {
        return Objects.requireNonNull(events);
    }

    /** Reports the end, unless the link was never handed out. */
    protected final void reportEnd(@Nullable IOException why) {
        if (events != null) {
            events.closed(why);
        }
    }

    @Override
    public final String peer() {
        return peer;
    }
}
