package io.teff.nio.selector;

import io.teff.nio.selector.link.Fabric;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A listening channel: the JDK's channel, whose address is in the registry. */
final class TeffServerSocketChannel extends ServerSocketChannel implements KeyOwner {
    private final Fabric fabric;
    private final ServerSocketChannel inner;
    private final List<TeffSelectionKey> keys = new CopyOnWriteArrayList<>();
    private @Nullable ChannelServerSocket socket;

    TeffServerSocketChannel(SelectorProvider provider, Fabric fabric, ServerSocketChannel inner) {
        super(provider);
        this.fabric = fabric;
        this.inner = inner;
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        inner.bind(local, backlog);
        fabric.listening(inner);
        return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        inner.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return inner.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return inner.supportedOptions();
    }

    @Override
    public synchronized ServerSocket socket() {
        if (socket == null) {
            socket = ChannelServerSocket.of(this, inner.socket());
        }
        return socket;
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        try {
            final SocketChannel connection = inner.accept();
            return connection == null ? null : accepted(connection);
        } catch (ClosedByInterruptException e) {
            close();
            throw e;
        }
    }

    /** Makes the channel of a connection of the JDK's channel. */
    SocketChannel accepted(SocketChannel connection) throws IOException {
        return TeffSocketChannel.accepted(provider(), fabric, connection);
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        return inner.getLocalAddress();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        @Nullable SocketAddress local = null;
        try {
            local = inner.getLocalAddress();
        } catch (java.nio.channels.ClosedChannelException e) {
            assert !inner.isOpen();                             // an interrupt has closed it
        }
        inner.close();
        fabric.closing(inner, local);
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) throws IOException {
        keys.forEach(TeffSelectionKey::followCancel);
        inner.configureBlocking(isBlocking);
    }

    @Override
    public SelectableChannel inner() {
        return inner;
    }

    @Override
    public int linkReadyOps() {
        return BY_TCP;
    }

    @Override
    public void addKey(TeffSelectionKey key) {
        keys.add(key);
    }

    @Override
    public void removeKey(TeffSelectionKey key) {
        keys.remove(key);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + inner + "]";
    }
}
