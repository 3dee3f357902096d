package io.teff.nio;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Lookups;
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
 * Links over TCP, {@code tcp:host:port}: one selector, both directions in one socket.
 *
 * <p>All links read into one buffer, as what they have read is taken at once; so an idle link has no memory here.
 * Interest in writing exists only after a write that took less than it was given.
 */
final class TcpTransport implements Transport {
    private static final int READ_BYTES = 256 << 10;
    private static final int BACKLOG = 1024;
    /**
     * So many are accepted before others have a turn, and so many sockets that were closed meanwhile may not be: the
     * selector lets go of them as it is asked next.
     */
    private static final int ACCEPTS_MAX = 64;
    /** Where there are no descriptors they are asked for again after so long, and after so many polls. */
    private static final long DEAF_MS = 10;
    private static final int DEAF_POLLS = 1000;
    private static final long MILLISECOND = 1_000_000;

    private final Selector selector;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
    private final MemorySegment readMemory = MemorySegment.ofBuffer(readBuffer);
    /** Keys that were selected and not looked at. */
    private final List<SelectionKey> ready = new ArrayList<>();
    /** One for all polls, as each that is made allocates. */
    private final Consumer<SelectionKey> select = ready::add;
    /** What listens and has found no descriptor for who calls. */
    private final List<SelectionKey> deaf = new ArrayList<>();
    private int deafPolls;
    /** Something is to be told of these that happened outside of a poll. */
    private final List<TcpLink> late = new ArrayList<>();
    private volatile boolean isWaiting;
    private volatile boolean isAwake;

    private final Lookups lookups;
    private final @Nullable SSLContext tls;
    private final TlsBuffers tlsBuffers = new TlsBuffers();
    private final Set<Capability> capabilities;

    TcpTransport(@Nullable SSLContext tls) throws IOException {
        this(tls, InetAddress::getByName);
    }

    TcpTransport(@Nullable SSLContext tls, Lookups.Resolver resolver) throws IOException {
        this.tls = tls;
        lookups = new Lookups(resolver, this::wakeUp);
        capabilities = tls == null ? Set.of(Capability.MOVES_LINKS, Capability.SENDERS_WRITE)
            : Set.of(Capability.MOVES_LINKS, Capability.ENCRYPTED);     // each thread would need buffers of its own
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
            throw (BindException) new BindException("nobody can listen at " + address + ": " + e.getMessage())
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
    public Link connect(String address, LinkEvents events) throws IOException {
        final InetSocketAddress to = TcpAddress.read(address);
        final SocketChannel channel = SocketChannel.open();
        boolean isDone = false;
        try {
            prepare(channel);
            final TcpLink link = new TcpLink(this, channel, tls(channel, true), address);
            link.tell(events);
            if (to.isUnresolved()) {
                link.setTarget(to);
                lookups.add(to.getHostString(), link);
            } else {
                connect(link, channel, to);
            }
            isDone = true;
            return link;
        } finally {
            if (!isDone) {
                channel.close();
            }
        }
    }

    /** Begins to connect, to an address that is known. */
    void connect(TcpLink link, SocketChannel channel, InetSocketAddress to) throws IOException {
        final boolean isConnected;
        try {
            isConnected = channel.connect(to);
        } catch (UnsupportedAddressTypeException e) {
            throw new IOException("this machine does not speak to " + to, e);
        }
        link.register(channel.register(selector, isConnected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, link));
        if (isConnected) {
            tellLater(link);
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
        work += lookups.poll();
        for (int i = 0; i < late.size(); i++) {
            late.get(i).tellNow(readBuffer, readMemory);
            work++;
        }
        late.clear();
        return work;
    }

    private int look(SelectionKey key) {
        if (!key.isValid()) {
            return 0;
        }
        if (key.attachment() instanceof TcpLink link) {
            return link.look(readBuffer, readMemory);
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
                continue;                                       // it has gone again
            }
        }
        return work;
    }

    /** Who is to be accepted next. Where there are no descriptors the selector would say so again and again. */
    private @Nullable SocketChannel next(SelectionKey key, ServerSocketChannel server) {
        try {
            return server.accept();
        } catch (IOException _) {
            key.interestOps(0);
            deaf.add(key);
            return null;
        }
    }

    /** After some time, or so many polls, there may be descriptors. */
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
            link.tell(acceptor.accepted(link));
            begin(link, channel);
            isDone = true;
        } finally {
            if (!isDone) {
                channel.close();
            }
        }
    }

    /** A link that has come in is connected already. */
    void begin(TcpLink link, SocketChannel channel) throws IOException {
        link.register(channel.register(selector, SelectionKey.OP_READ, link));
        tellLater(link);
    }

    @Override
    public void release(Link link) {
        ((TcpLink) link).release();
    }

    @Override
    public void adopt(Link link) throws IOException {
        ((TcpLink) link).adopt(this, selector, tlsBuffers);
    }

    /** Tells of a failure, or that it is connected already, at the end of this poll or in the next. */
    void tellLater(TcpLink link) {
        late.add(link);
    }

    @Override
    public void await(long timeoutNs) {
        isWaiting = true;
        if (!isAwake && ready.isEmpty() && late.isEmpty() && !lookups.hasAnswers()) {
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
        lookups.close();
        try {
            for (SelectionKey key : selector.keys()) {
                if (key.isValid()) {                            // else it is another agent's, or closed
                    key.channel().close();
                }
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a socket cannot be closed", e);
        }
    }
}
