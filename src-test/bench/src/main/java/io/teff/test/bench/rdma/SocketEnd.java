package io.teff.test.bench.rdma;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * An end with a socket for each other one, which it polls. Ends with higher numbers connect to those with lower ones.
 */
final class SocketEnd implements End {
    private static final int READ_BYTES = 256 << 10;
    private static final int NUMBER_BYTES = Integer.BYTES;

    private final RdmaCase what;
    private final int number;
    private final ServerSocketChannel server;
    private final SocketChannel[] channels;
    private final ByteBuffer[] messages;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(READ_BYTES);
    private final long[] bytesReceived;
    private long begun;
    private long arrived;

    SocketEnd(InetSocketAddress address, RdmaCase what, int number) {
        this.what = what;
        this.number = number;
        try {
            server = ServerSocketChannel.open().bind(address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        channels = new SocketChannel[what.pattern().ends()];
        messages = new ByteBuffer[channels.length];
        bytesReceived = new long[channels.length];
    }

    /** Connects to lower numbers. Their servers keep these connections until they accept them, at the first use. */
    @Override
    public void connect(End[] all) throws IOException {
        for (int i = 0; i < number; i++) {
            final SocketChannel channel = SocketChannel.open();
            final InetSocketAddress own = (InetSocketAddress) server.getLocalAddress();
            channel.bind(new InetSocketAddress(own.getAddress(), 0));
            channel.connect(((SocketEnd) all[i]).server.getLocalAddress());
            channel.write(ByteBuffer.allocate(NUMBER_BYTES).putInt(0, number));
            add(i, channel);
        }
    }

    private void add(int peer, SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channels[peer] = channel;
        messages[peer] = ByteBuffer.allocateDirect(what.bytes()).position(what.bytes());
    }

    private SocketChannel channel(int peer) throws IOException {
        final SocketChannel channel = channels[peer];
        return channel == null ? accepted(peer) : channel;
    }

    private SocketChannel accepted(int peer) throws IOException {
        while (channels[peer] == null) {
            final SocketChannel accepted = server.accept();
            final ByteBuffer name = ByteBuffer.allocate(NUMBER_BYTES);
            while (name.hasRemaining() && accepted.read(name) >= 0) {
                // the name is short
            }
            add(name.getInt(0), accepted);
        }
        return channels[peer];
    }

    @Override
    public boolean begin(int to) throws IOException {
        final SocketChannel channel = channel(to);
        final ByteBuffer message = messages[to];
        if (message.hasRemaining()) {
            channel.write(message);
            if (message.hasRemaining()) {
                return false;
            }
        }
        channel.write(message.clear());
        begun++;
        return true;
    }

    @Override
    public int poll() throws IOException {
        for (int i = 0; i < channels.length; i++) {
            if (i != number) {
                final SocketChannel channel = channel(i);
                if (messages[i].hasRemaining()) {
                    channel.write(messages[i]);
                }
                final int count = channel.read(incoming.clear());
                if (count > 0) {
                    final long before = bytesReceived[i];
                    bytesReceived[i] = before + count;
                    arrived += (before + count) / what.bytes() - before / what.bytes();
                }
            }
        }
        return 0;
    }

    @Override
    public long begun() {
        return begun;
    }

    @Override
    public long arrived() {
        return arrived;
    }

    @Override
    public int underWay() {
        int sum = 0;
        for (ByteBuffer message : messages) {
            sum += message != null && message.hasRemaining() ? 1 : 0;
        }
        return sum;
    }

    @Override
    public boolean isPassive() {
        return false;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (SocketChannel channel : channels) {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
