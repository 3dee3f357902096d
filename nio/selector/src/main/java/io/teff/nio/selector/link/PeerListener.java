package io.teff.nio.selector.link;

import io.teff.rdma.ucx.worker.UcxWorker;
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
    /** Answers of FOUND beside side ports. */
    static final int NONE = 0;
    static final int TRANSLATED = -1;

    private final Supplier<@Nullable UcxCore> cores;
    private final Agreements agreements;
    private final ListenerRegistry registry;
    private final ServerSocketChannel channel;
    private final Path socket;
    private volatile int sidePort;

    private PeerListener(Supplier<@Nullable UcxCore> cores, Agreements agreements, ListenerRegistry registry,
            ServerSocketChannel channel, Path socket) {
        this.cores = cores;
        this.agreements = agreements;
        this.registry = registry;
        this.channel = channel;
        this.socket = socket;
    }

    static PeerListener open(Supplier<@Nullable UcxCore> cores, Agreements agreements, SelectorProvider provider,
            ListenerRegistry registry) throws IOException {
        final ServerSocketChannel channel = provider.openServerSocketChannel(StandardProtocolFamily.UNIX);
        final Path socket = registry.folder().resolve("side-" + ProcessHandle.current().pid() + "-"
            + UUID.randomUUID().toString().substring(0, 8));
        channel.bind(UnixDomainSocketAddress.of(socket));
        final PeerListener listener = new PeerListener(cores, agreements, registry, channel, socket);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> ListenerRegistry.delete(socket)));
        Thread.ofVirtual().name("teff-nio-offers").start(listener::run);
        return listener;
    }

    Path socket() {
        return socket;
    }

    /** {@return the port for programs on other machines; 0 for none} */
    int sidePort() {
        return sidePort;
    }

    void setSidePort(int port) {
        sidePort = port;
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

    /** Serves a program until its side connection ends. */
    void serve(SideConnection side) {
        final UcxCore core = cores.get();
        if (core == null) {
            side.close();
            return;
        }
        @Nullable PeerPath path = null;
        try {
            while (true) {
                final ByteBuffer frame = side.receive();
                final int kind = frame.getInt();
                if (kind == SideConnection.HELLO && path == null) {
                    final PeerPath fresh = core.path(side.isRemote());
                    path = fresh;
                    readHello(core, fresh, frame);
                    side.send(hello(core, fresh));
                } else if (path == null) {
                    requireFind(kind, side);
                    side.send(find(side, frame));
                } else {
                    take(core, path, side, kind, frame);
                }
            }
        } catch (IOException | RuntimeException e) {
            side.close();
            final PeerPath ended = path;
            if (ended != null) {
                agreements.remove(ended);
                core.dutyWhenQuiet(ended::fail);
            }
        }
    }

    private static void requireFind(int kind, SideConnection side) throws IOException {
        if (kind != SideConnection.FIND || !side.isRemote()) {
            throw new IOException("kind " + kind + " before HELLO");
        }
    }

    private void take(UcxCore core, PeerPath path, SideConnection side, int kind, ByteBuffer frame)
            throws IOException {
        switch (kind) {
            case SideConnection.OFFER -> side.send(answer(core, path, side, frame));
            case SideConnection.WITHDRAW -> {
                final long number = frame.getLong();
                agreements.remove(number);
                final ByteLink link = core.links().remove(number);
                if (link != null) {
                    link.withdrawn();                           // accepted meanwhile, perhaps
                }
            }
            case SideConnection.RESOLVE -> {
                final long number = frame.getLong();
                if (agreements.remove(number)) {                // else ACCEPTED is on its way
                    core.links().remove(number);
                    side.send(SideConnection.frame(SideConnection.REVOKE).putLong(frame.getLong()));
                }
            }
            case SideConnection.FIND -> {
                requireFind(kind, side);
                side.send(find(side, frame));
            }
            default -> { }                                      // what a newer peer may send
        }
    }

    /** Makes HELLO with the address of the worker. */
    static ByteBuffer hello(UcxCore core, PeerPath path) {
        return SideConnection.frame(SideConnection.HELLO).putLong(path.number()).putInt(core.release())
            .put(core.address());
    }

    /** Reads HELLO. The address is checked here: UCX takes any bytes, and ends the process on some. */
    static void readHello(UcxCore core, PeerPath path, ByteBuffer frame) throws IOException {
        final long number = frame.getLong();
        if (frame.getInt() != core.release()) {
            throw new IOException("the peer has another release of UCX");
        }
        final byte[] address = SideConnection.rest(frame);
        try {
            UcxWorker.checkAddress(address);
        } catch (IllegalArgumentException e) {
            throw new IOException(e);
        }
        path.setPeer(number, address);
    }

    private ByteBuffer find(SideConnection side, ByteBuffer frame) throws IOException {
        final long request = frame.getLong();
        final int port = frame.getInt();
        final InetAddress address = InetAddress.getByAddress(SideConnection.address(frame));
        final InetAddress dialer = InetAddress.getByAddress(SideConnection.address(frame));
        final int answer;
        if (!address.equals(side.local().getAddress()) || !dialer.equals(side.remote().getAddress())) {
            answer = TRANSLATED;
        } else {
            answer = agreements.hasListener(address, port) ? sidePort : registry.findSidePort(address, port);
        }
        return SideConnection.frame(SideConnection.FOUND).putLong(request).putLong(answer);
    }

    private ByteBuffer answer(UcxCore core, PeerPath path, SideConnection side, ByteBuffer offer) throws IOException {
        final long request = offer.getLong();
        final int port = offer.getInt();
        final int clientPort = offer.getInt();
        final long clientLink = offer.getLong();
        final InetAddress address = InetAddress.getByAddress(SideConnection.address(offer));
        final Agreements.Ends ends = side.isRemote()
            ? new Agreements.Ends(port, clientPort, address, InetAddress.getByAddress(SideConnection.address(offer)))
            : new Agreements.Ends(port, clientPort, null, null);
        long number = 0;
        if (agreements.hasListener(address, port) && agreements.hasRoom() && !path.isFailed()) {
            final ByteLink link = core.link(path, clientLink, true);
            number = link.number();
            agreements.add(ends, link, () -> revoke(core, side, link, clientLink));
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
