package io.teff.nio.selector;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The socket's view of a listening channel. */
final class ChannelServerSocket extends ServerSocket {
    private static final int BACKLOG = 50;

    private final TeffServerSocketChannel channel;
    private final ServerSocket inner;

    private ChannelServerSocket(TeffServerSocketChannel channel, ServerSocket inner) throws IOException {
        this.channel = channel;
        this.inner = inner;
    }

    static ChannelServerSocket of(TeffServerSocketChannel channel, ServerSocket inner) {
        try {
            return new ChannelServerSocket(channel, inner);
        } catch (IOException e) {
            throw new IllegalStateException(e);                 // an unbound socket has no descriptor
        }
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        bind(local, BACKLOG);
    }

    @Override
    public void bind(@Nullable SocketAddress local, int backlog) throws IOException {
        channel.bind(local, backlog);
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        return inner.getInetAddress();
    }

    @Override
    public int getLocalPort() {
        return inner.getLocalPort();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return inner.getLocalSocketAddress();
    }

    @Override
    public Socket accept() throws IOException {
        final Socket accepted = inner.accept();
        return channel.accepted(Objects.requireNonNull(accepted.getChannel())).socket();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public boolean isBound() {
        return inner.isBound();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        inner.setSoTimeout(timeout);
    }

    @Override
    public int getSoTimeout() throws IOException {
        return inner.getSoTimeout();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        inner.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return inner.getReuseAddress();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        inner.setReceiveBufferSize(size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return inner.getReceiveBufferSize();
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return inner.toString();
    }
}
