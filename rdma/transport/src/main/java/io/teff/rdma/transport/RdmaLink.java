package io.teff.rdma.transport;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Lookups;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What links have in common: the other end, how they were made, and who takes their events. */
public abstract class RdmaLink implements Link {
    private final String peer;
    /** Takes a link of another node when it is connected; null for a dialed one. */
    private final @Nullable Acceptor acceptor;
    private @Nullable LinkEvents events;

    /**
     * Makes a link.
     *
     * @param peer the other end, for people
     * @param acceptor takes the link; null if it was dialed
     * @param events takes the events; null until the link is accepted
     */
    protected RdmaLink(String peer, @Nullable Acceptor acceptor, @Nullable LinkEvents events) {
        this.peer = peer;
        this.acceptor = acceptor;
        this.events = events;
    }

    /** Begins to connect by the address of a host. */
    interface Dial {
        void to(InetAddress host) throws IOException;
    }

    /** Returns what waits for the address of the host. */
    final Lookups.Waiter waiter(Dial dial) {
        return new Lookups.Waiter() {
            @Override
            public boolean isOver() {
                return RdmaLink.this.isOver();
            }

            @Override
            public void found(@Nullable InetAddress host, @Nullable IOException why) {
                try {
                    if (host == null) {
                        throw new IOException("unknown host of " + peer, why);
                    }
                    dial.to(host);
                } catch (IOException e) {
                    end(e);
                }
            }
        };
    }

    /** {@return whether the link has ended} */
    public abstract boolean isOver();

    /** Ends the link, and reports that; null if the peer has ended it. */
    protected abstract void end(@Nullable IOException why);

    /** {@return whether the link was accepted, so that its greeting has a deadline} */
    public final boolean isAccepted() {
        return acceptor != null;
    }

    /** Hands an accepted link out: from now on there are events. The acceptor may close it. */
    protected final void handOut() {
        if (acceptor != null) {
            events = acceptor.accepted(this);
        }
    }

    /** {@return what takes the events of a link that was dialed or handed out} */
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
