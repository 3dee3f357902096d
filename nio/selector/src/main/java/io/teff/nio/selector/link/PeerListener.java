package io.teff.nio.selector.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The socket at which a program takes offers, and the side connections of other programs. */
final class PeerListener {
    private final Supplier<@Nullable UcxCore> cores;
    private final Agreements agreements;
    private final ServerSocketChannel channel;
    private final Path socket;

    private PeerListener(Supplier<@Nullable UcxCore> cores, Agreements agreements, ServerSocketChannel channel,
            Path socket) {
        this.cores = cores;
        this.agreements = agreements;
        this.channel = channel;
        this.socket = socket;
    }

    static PeerListener open(Supplier<@Nullable UcxCore> cores, Agreements agreements, SelectorProvider provider,
            Path folder) throws IOException {
        final ServerSocketChannel channel = provider.openServerSocketChannel(StandardProtocolFamily.UNIX);
        final Path socket = folder.resolve("side-" + ProcessHandle.current().pid() + "-"
            + UUID.randomUUID().toString().substring(0, 8));
        channel.bind(UnixDomainSocketAddress.of(socket));
        final PeerListener listener = new PeerListener(cores, agreements, channel, socket);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> ListenerRegistry.delete(socket)));
        Thread.ofVirtual().name("teff-nio-offers").start(listener::run);
        return listener;
    }

    Path socket() {
        return socket;
    }

    private void run() {
        try {
            while (true) {
                final SideConnection side = new SideConnection(channel.accept());
                Thread.ofVirtual().name("teff-nio-side").start(() -> serve(side));
            }
        } catch (IOException e) {
            ListenerRegistry.delete(socket);                            // closed
        }
    }

    private void serve(SideConnection side) {
        final UcxCore core = cores.get();
        if (core == null) {
            side.close();
            return;
        }
        final PeerPath path = core.path();
        try {
            final ByteBuffer hello = side.receive();
            if (hello.getInt() != SideConnection.HELLO) {
                throw new IOException("the peer does not begin with HELLO");
            }
            path.setPeer(hello.getLong(), SideConnection.rest(hello));
            side.send(SideConnection.frame(SideConnection.HELLO).putLong(path.number()).put(core.address()));
            while (true) {
                final ByteBuffer frame = side.receive();
                final int kind = frame.getInt();
                if (kind == SideConnection.OFFER) {
                    side.send(answer(core, path, side, frame));
                } else if (kind == SideConnection.WITHDRAW) {
                    final long number = frame.getLong();
                    agreements.remove(number);
                    final ByteLink link = core.links().remove(number);
                    if (link != null) {
                        link.withdrawn();                       // accepted meanwhile, perhaps
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            side.close();
            agreements.remove(path);
            core.dutyWhenQuiet(path::fail);
        }
    }

    private ByteBuffer answer(UcxCore core, PeerPath path, SideConnection side, ByteBuffer offer) throws IOException {
        final long request = offer.getLong();
        final int port = offer.getInt();
        final int clientPort = offer.getInt();
        final long clientLink = offer.getLong();
        final InetAddress address = InetAddress.getByAddress(SideConnection.rest(offer));
        long number = 0;
        if (agreements.hasListener(address, port) && agreements.hasRoom() && !path.isFailed()) {
            final ByteLink link = core.link(path, clientLink, true);
            number = link.number();
            agreements.add(port, clientPort, link, () -> revoke(core, side, link, clientLink));
        }
        return SideConnection.frame(SideConnection.ANSWER).putLong(request).putLong(number);
    }

    private static void revoke(UcxCore core, SideConnection side, ByteLink link, long clientLink) {
        core.links().remove(link.number());
        try {
            side.send(SideConnection.frame(SideConnection.REVOKE).putLong(clientLink));
        } catch (IOException e) {
            side.close();
        }
    }

    void close() throws IOException {
        channel.close();
        ListenerRegistry.delete(socket);
    }
}
