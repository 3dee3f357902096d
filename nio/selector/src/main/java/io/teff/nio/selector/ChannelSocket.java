package io.teff.nio.selector;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The socket's view of a connection: bytes through the channel, addresses and options from the JDK's view. */
final class ChannelSocket extends Socket {
    private final TeffSocketChannel channel;
    private final Socket inner;
    private volatile int timeoutMs;

    private ChannelSocket(TeffSocketChannel channel, Socket inner) throws SocketException {
        super((SocketImpl) null);
        this.channel = channel;
        this.inner = inner;
    }

    static ChannelSocket of(TeffSocketChannel channel, Socket inner) {
        try {
            return new ChannelSocket(channel, inner);
        } catch (SocketException e) {
            throw new IllegalStateException(e);                 // a socket without an implementation makes none
        }
    }

    private void requireBlocking() {
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        Objects.requireNonNull(remote);
        if (timeout < 0) {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        requireBlocking();
        try {
            channel.connect(remote, timeout);
        } catch (ClosedChannelException e) {
            throw closed(e);
        } catch (AlreadyConnectedException e) {
            throw (SocketException) new SocketException("Already connected").initCause(e);
        }
    }

    private static SocketException closed(Exception cause) {
        return (SocketException) new SocketException("Socket is closed").initCause(cause);
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        return inner.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return inner.getLocalAddress();
    }

    @Override
    public int getPort() {
        return inner.getPort();
    }

    @Override
    public int getLocalPort() {
        return inner.getLocalPort();
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return isConnected() ? new InetSocketAddress(getInetAddress(), getPort()) : null;
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return inner.getLocalSocketAddress();
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireUsable();
        if (channel.isInputShut()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new Input();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireUsable();
        if (channel.isOutputShut()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new Output();
    }

    private void requireUsable() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            requireBlocking();
            return length == 0 ? 0 : channel.readTimed(ByteBuffer.wrap(target, offset, length), timeoutMs);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            requireBlocking();
            final ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        inner.setSoTimeout(timeout);
        timeoutMs = timeout;
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return inner.getSoTimeout();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        inner.setTcpNoDelay(on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return inner.getTcpNoDelay();
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        inner.setSoLinger(on, linger);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return inner.getSoLinger();
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        inner.sendUrgentData(data);
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        inner.setOOBInline(on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return inner.getOOBInline();
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        inner.setSendBufferSize(size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return inner.getSendBufferSize();
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
    public void setKeepAlive(boolean on) throws SocketException {
        inner.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return inner.getKeepAlive();
    }

    @Override
    public void setTrafficClass(int value) throws SocketException {
        inner.setTrafficClass(value);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return inner.getTrafficClass();
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
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (NotYetConnectedException e) {
            throw (SocketException) new SocketException("Socket is not connected").initCause(e);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (NotYetConnectedException e) {
            throw (SocketException) new SocketException("Socket is not connected").initCause(e);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public boolean isConnected() {
        return inner.isConnected();
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
    public boolean isInputShutdown() {
        return channel.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.isOutputShut();
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
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
