package io.teff.nio.selector.link;

import java.net.InetAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The listening channels of a program, and the links that were agreed on and not accepted yet. Any thread. */
final class Agreements {
    /** Links that were agreed on and not accepted. */
    static final int COUNT_MAX = 16_384;

    /** The way back to the client of an agreement. */
    interface Revoker {
        void revoke();
    }

    /**
     * The two ends of a connection. On one machine ports suffice: a client port belongs to one program.
     *
     * @param port of the listener
     * @param clientPort of the client
     * @param address of the listener, of a connection between machines
     * @param clientAddress of the client, of a connection between machines
     */
    record Ends(int port, int clientPort, @Nullable InetAddress address, @Nullable InetAddress clientAddress) {}

    private record Listener(InetAddress address, int port) {}

    private record Agreed(ByteLink link, Revoker revoker) {}

    private final Map<ServerSocketChannel, Listener> listeners = new ConcurrentHashMap<>();
    private final Map<Ends, Agreed> agreed = new ConcurrentHashMap<>();

    void listen(ServerSocketChannel channel, InetAddress address, int port) {
        listeners.put(channel, new Listener(address, port));
    }

    boolean hasListener(InetAddress address, int port) {
        return listeners.values().stream().anyMatch(it -> it.port() == port
            && (it.address().isAnyLocalAddress() || it.address().equals(address)));
    }

    void add(Ends ends, ByteLink link, Revoker revoker) {
        agreed.put(ends, new Agreed(link, revoker));
    }

    boolean hasRoom() {
        return agreed.size() < COUNT_MAX;
    }

    /** Takes the link of an accepted connection; null if there was no agreement. */
    @Nullable ByteLink take(Ends ends) {
        final Agreed found = agreed.remove(ends);
        return found == null ? null : found.link();
    }

    /** Removes the agreement of a link; returns whether there was one, so that the link is never accepted. */
    boolean remove(long number) {
        return agreed.values().removeIf(it -> it.link().number() == number);
    }

    /** Removes the agreements of a path. */
    void remove(PeerPath path) {
        agreed.values().removeIf(it -> it.link().path() == path);
    }

    /** Removes a listener, and takes all its agreements back. */
    void close(ServerSocketChannel channel) {
        final Listener closed = listeners.remove(channel);
        if (closed == null || listeners.containsValue(closed)) {
            return;
        }
        final Set<Ends> pairs = agreed.keySet();
        final List<Ends> gone = new ArrayList<>(pairs.stream().filter(it -> it.port() == closed.port()).toList());
        for (Ends ends : gone) {
            final Agreed found = agreed.remove(ends);
            if (found != null) {
                found.revoker().revoke();
            }
        }
    }
}
