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

    private record Listener(InetAddress address, int port) {}

    private record Pair(int port, int clientPort) {}

    private record Agreed(ByteLink link, Revoker revoker) {}

    private final Map<ServerSocketChannel, Listener> listeners = new ConcurrentHashMap<>();
    private final Map<Pair, Agreed> agreed = new ConcurrentHashMap<>();

    void listen(ServerSocketChannel channel, InetAddress address, int port) {
        listeners.put(channel, new Listener(address, port));
    }

    boolean hasListener(InetAddress address, int port) {
        return listeners.values().stream().anyMatch(it -> it.port() == port
            && (it.address().isAnyLocalAddress() || it.address().equals(address)));
    }

    void add(int port, int clientPort, ByteLink link, Revoker revoker) {
        agreed.put(new Pair(port, clientPort), new Agreed(link, revoker));
    }

    boolean hasRoom() {
        return agreed.size() < COUNT_MAX;
    }

    /** Takes the link of an accepted connection; null if there was no agreement. */
    @Nullable ByteLink take(int port, int clientPort) {
        final Agreed found = agreed.remove(new Pair(port, clientPort));
        return found == null ? null : found.link();
    }

    /** Removes the agreement of a link. */
    void remove(long number) {
        agreed.values().removeIf(it -> it.link().number() == number);
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
        final Set<Pair> pairs = agreed.keySet();
        final List<Pair> gone = new ArrayList<>(pairs.stream().filter(it -> it.port() == closed.port()).toList());
        for (Pair pair : gone) {
            final Agreed found = agreed.remove(pair);
            if (found != null) {
                found.revoker().revoke();
            }
        }
    }
}
