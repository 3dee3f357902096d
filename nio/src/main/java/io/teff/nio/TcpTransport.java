package io.teff.nio;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Links over TCP, {@code tcp:host:port}: a selector, and per link a socket for both directions.
 *
 * <p>All links read into one buffer, because the receiver consumes bytes at once; an idle link therefore needs no
 * memory here. A link is registered for writing only after a partial write. Used by its agent's thread only, except
 * where a method says otherwise.
 */
final class TcpTransport implements Transport {
    private static final int READ_BYTES = 256 << 10;
    private static final int BACKLOG = 1024;
    /**
     * Maximum number of connections accepted in one poll, and of closed sockets with keys in the selector: a selection
     * removes the keys of closed sockets.
     */
    private static final int ACCEPTS_MAX = 64;
    /** Without a free file descriptor, accepting is tried again after this time, or after {@link #DEAF_POLLS} polls. */
    private static final long DEAF_MS = 10;
    private static final int DEAF_POLLS = 1000;
    private static final long MILLISECOND = 1_000_000;

    private final Selector selector;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
    private final MemorySegment readMemory = MemorySegment.ofBuffer(readBuffer);
    /** Keys that were selected and not processed yet. */
    private final List<SelectionKey> ready = new ArrayList<>();
    /** Shared by all polls, because a lambda per poll would allocate. */
    private final Consumer<SelectionKey> select = ready::add;
    /** Listening sockets that found no file descriptor for a caller. */
    private final List<SelectionKey> deaf = new ArrayList<>();
    private int deafPolls;
    /** Links with an event from outside a poll. The next poll reports the event. */
    private final List<TcpLink> unreported = new ArrayList<>();
    private volatile boolean isWaiting;
    private volatile boolean isAwake;

    private final @Nullable SSLContext tls;
    private final TlsBuffers tlsBuffers = new TlsBuffers();
    private final Set<Capability> capabilities;

    TcpTransport(@Nullable SSLContext tls) throws IOException {
        this.tls = tls;
        capabilities = tls == null ? Set.of(Capability.MOVES_LINKS, Capability.SENDERS_WRITE)
            : Set.of(Capability.MOVES_LINKS, Capability.ENCRYPTED);     // with TLS, threads would need buffers
        selector = Selector.open();
    }

    private @Nullable TlsChannel tls(SocketChannel channel, boolean isDialer) throws IOException {
        return tls == null ? null : new TlsChannel(channel, tls, isDialer, tlsBuffers);
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public String listen(String address, Acceptor acceptor) throws IOException {
        final InetSocketAddress wanted = TcpAddress.parse(address);
        final ServerSocketChannel server = ServerSocketChannel.open();
        boolean isDone = false;
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(wanted, BACKLOG);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT, acceptor);
            isDone = true;
            return TcpAddress.of((InetSocketAddress) server.getLocalAddress());
        } catch (BindException e) {
            throw (BindException) new BindException("cannot listen at " + address + ": " + e.getMessage())
                .initCause(e);
        } finally {
            if (!isDone) {
                server.close();
            }
        }
    }

    @Override
    public boolean isLocal(String address) throws IOException {
        return TcpAddress.parse(address).getAddress().isLoopbackAddress();
    }

    @Override
    public @Nullable String hostName(String address) throws IOException {
        final InetSocketAddress read = TcpAddress.read(address);
        return read.isUnresolved() ? read.getHostString() : null;
    }

    @Override
    public String numbered(String address, InetAddress host) throws IOException {
        return TcpAddress.of(TcpAddress.found(TcpAddress.read(address), host));
    }

    @Override
    public Link connect(String address, LinkEvents events) throws IOException {
        final InetSocketAddress to = TcpAddress.read(address);
        if (to.isUnresolved()) {
            throw new IOException("unknown host of " + address + ": the name was not looked up");
        }
        final SocketChannel channel = SocketChannel.open();
        boolean isDone = false;
        try {
            prepare(channel);
            final TcpLink link = new TcpLink(this, channel, tls(channel, true), address);
            link.setEvents(events);
            connect(link, channel, to);
            isDone = true;
            return link;
        } finally {
            if (!isDone) {
                channel.close();
            }
        }
    }

    /** Begins to connect to a resolved address. */
    void connect(TcpLink link, SocketChannel channel, InetSocketAddress to) throws IOException {
        final boolean isConnected;
        try {
            isConnected = channel.connect(to);
        } catch (UnsupportedAddressTypeException e) {
            throw new IOException("the address family of " + to + " is not supported here", e);
        }
        link.register(channel.register(selector, isConnected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, link));
        if (isConnected) {
            reportLater(link);
        }
    }

    private static void prepare(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public int poll() {
        if (!deaf.isEmpty() && ++deafPolls == DEAF_POLLS) {
            listenAgain();
        }
        try {
            if (ready.isEmpty()) {
                selector.selectNow(select);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the selector has failed", e);
        }
        int work = 0;
        for (int i = 0; i < ready.size(); i++) {
            work += look(ready.get(i));
        }
        ready.clear();
        for (int i = 0; i < unreported.size(); i++) {
            unreported.get(i).report(readBuffer, readMemory);
            work++;
        }
        unreported.clear();
        return work;
    }

    private int look(SelectionKey key) {
        if (!key.isValid()) {
            return 0;
        }
        if (key.attachment() instanceof TcpLink link) {
            return link.process(readBuffer, readMemory);
        }
        return accept(key, (ServerSocketChannel) key.channel(), (Acceptor) key.attachment());
    }

    private int accept(SelectionKey key, ServerSocketChannel server, Acceptor acceptor) {
        int work = 0;
        while (work < ACCEPTS_MAX) {
            final SocketChannel channel = next(key, server);
            if (channel == null) {
                break;
            }
            work++;
            try {
                accept(channel, acceptor);
            } catch (IOException _) {
                continue;                                       // the caller has closed it
            }
        }
        return work;
    }

    /** Accepts the next caller, or returns null. Without a free descriptor, listening stops for {@link #DEAF_MS}. */
    private @Nullable SocketChannel next(SelectionKey key, ServerSocketChannel server) {
        try {
            return server.accept();
        } catch (IOException _) {
            key.interestOps(0);
            deaf.add(key);
            return null;
        }
    }

    /** Listens again after {@link #DEAF_MS} or {@link #DEAF_POLLS} polls: descriptors may be free. */
    private void listenAgain() {
        for (SelectionKey key : deaf) {
            if (key.isValid()) {
                key.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
        deaf.clear();
        deafPolls = 0;
    }

    private void accept(SocketChannel channel, Acceptor acceptor) throws IOException {
        boolean isDone = false;
        try {
            prepare(channel);
            final TcpLink link = new TcpLink(this, channel, tls(channel, false), TcpAddress.of((InetSocketAddress)
                channel.getRemoteAddress()));
            link.setEvents(acceptor.accepted(link));
            begin(link, channel);
            isDone = true;
        } finally {
            if (!isDone) {
                channel.close();
            }
        }
    }

    /** Registers an accepted link, whose socket is connected. */
    void begin(TcpLink link, SocketChannel channel) throws IOException {
        link.register(channel.register(selector, SelectionKey.OP_READ, link));
        reportLater(link);
    }

    @Override
    public void release(Link link) {
        ((TcpLink) link).release();
    }

    @Override
    public void adopt(Link link) throws IOException {
        ((TcpLink) link).adopt(this, selector, tlsBuffers);
    }

    /** Reports a failure or a connection of a link at the end of this poll, or in the next one. */
    void reportLater(TcpLink link) {
        unreported.add(link);
    }

    @Override
    public void await(long timeoutNs) {
        isWaiting = true;
        if (!isAwake && ready.isEmpty() && unreported.isEmpty()) {
            final long most = deaf.isEmpty() ? Long.MAX_VALUE : DEAF_MS;
            select(Math.clamp(timeoutNs / MILLISECOND, 1, most));
        }
        if (!deaf.isEmpty()) {
            listenAgain();
        }
        isWaiting = false;
        isAwake = false;
    }

    private void select(long milliseconds) {
        try {
            selector.select(select, milliseconds);
        } catch (IOException e) {
            throw new UncheckedIOException("the selector has failed", e);
        }
    }

    @Override
    public void wakeUp() {
        if (!isAwake) {
            isAwake = true;
            if (isWaiting) {
                selector.wakeup();
            }
        }
    }

    @Override
    public void close() {
        if (!selector.isOpen()) {
            return;
        }
        try {
            for (SelectionKey key : selector.keys()) {
                if (key.isValid()) {                            // else the link moved to a new agent, or is closed
                    key.channel().close();
                }
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a socket cannot be closed", e);
        }
    }
}
