package io.teff.nio.selector.link;

import io.teff.nio.selector.side.SideHandshake;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;

/**
 * The TCP port at which a program takes offers of programs on other machines.
 *
 * <p>A stranger costs a connection, a thread without a stack of the system, and at most 80 bytes, for at most {@link
 * #HANDSHAKE_NS}. There are at most {@link #STRANGERS_MAX} connections without a proof, and {@link
 * #STRANGERS_OF_ADDRESS_MAX} from an address. Further connections are closed at once, so strangers can keep peers at
 * TCP and can do no more.
 */
final class SidePort implements AutoCloseable {
    /** Longest time of a handshake. */
    static final long HANDSHAKE_NS = 2_000_000_000;
    /** Connections without a proof. */
    static final int STRANGERS_MAX = 64;
    /** Connections without a proof from one address. */
    static final int STRANGERS_OF_ADDRESS_MAX = 8;
    /** Side connections behind a proof. */
    static final int PEERS_MAX = 4_096;
    private static final int BACKLOG = 128;

    private final ServerSocketChannel channel;
    private final byte[] secret;
    private final PeerListener listener;
    private final Map<InetAddress, Integer> strangers = new HashMap<>();
    private int strangerCount;
    private int peerCount;

    private SidePort(ServerSocketChannel channel, byte[] secret, PeerListener listener) {
        this.channel = channel;
        this.secret = secret;
        this.listener = listener;
    }

    /** Listens at the first free port of the range. */
    static SidePort open(SelectorProvider provider, SidePlan plan, byte[] secret, PeerListener listener)
            throws IOException {
        final ServerSocketChannel channel = provider.openServerSocketChannel();
        boolean isBound = false;
        try {
            for (int port = plan.firstPort(); port <= plan.lastPort() && !isBound; port++) {
                isBound = bind(channel, port);
            }
            if (!isBound) {
                throw new BindException("no free side port from " + plan.firstPort() + " to " + plan.lastPort());
            }
        } finally {
            if (!isBound) {
                channel.close();
            }
        }
        final SidePort made = new SidePort(channel, secret, listener);
        listener.setSidePort(((InetSocketAddress) channel.getLocalAddress()).getPort());
        Thread.ofVirtual().name("teff-nio-side-port").start(made::run);
        return made;
    }

    private static boolean bind(ServerSocketChannel channel, int port) throws IOException {
        try {
            channel.bind(new InetSocketAddress(port), BACKLOG);
            return true;
        } catch (BindException e) {
            return false;                                       // of another program
        }
    }

    private void run() {
        try {
            while (true) {
                final SocketChannel stranger = channel.accept();
                if (admit(address(stranger))) {
                    Thread.ofVirtual().name("teff-nio-side").start(() -> serve(stranger));
                } else {
                    stranger.close();
                }
            }
        } catch (IOException e) {
            listener.setSidePort(PeerListener.NONE);            // closed
        }
    }

    private static InetAddress address(SocketChannel connection) throws IOException {
        return ((InetSocketAddress) connection.getRemoteAddress()).getAddress();
    }

    private synchronized boolean admit(InetAddress address) {
        final int count = strangers.getOrDefault(address, 0);
        if (strangerCount >= STRANGERS_MAX || count >= STRANGERS_OF_ADDRESS_MAX || peerCount >= PEERS_MAX) {
            return false;
        }
        strangers.put(address, count + 1);
        strangerCount++;
        return true;
    }

    private synchronized void settle(InetAddress address, boolean isPeer) {
        strangers.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
        strangerCount--;
        peerCount += isPeer ? 1 : 0;
    }

    private synchronized void peerEnded() {
        peerCount--;
    }

    private void serve(SocketChannel stranger) {
        try (stranger) {
            final InetAddress address = address(stranger);
            boolean isPeer = false;
            final SideConnection side;
            try {
                SideKeepAlive.set(stranger);
                final byte[] nonce = new byte[SideHandshake.NONCE];
                new SecureRandom().nextBytes(nonce);
                side = SideConnection.shake(stranger, SideHandshake.listener(secret, nonce),
                    System.nanoTime() + HANDSHAKE_NS);
                isPeer = true;
            } finally {
                settle(address, isPeer);
            }
            try {
                listener.serve(side);
            } finally {
                peerEnded();
            }
        } catch (IOException e) {
            assert !stranger.isOpen();                          // a stranger, or a peer that has ended
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
