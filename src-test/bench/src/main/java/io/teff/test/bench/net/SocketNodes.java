package io.teff.test.bench.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** The minimum: a socket and a thread at its other end for each sender, a call for each message and each answer. */
final class SocketNodes implements Nodes {
    private static final int READ_BYTES = 256 << 10;

    private final NetCase what;
    private final boolean isSpinning;
    private final ServerSocketChannel server;
    private final Queue<SocketChannel> channels = new ConcurrentLinkedQueue<>();
    private final LongAdder received = new LongAdder();

    SocketNodes(NetCase what, boolean isSpinning) throws IOException {
        this.what = what;
        this.isSpinning = isSpinning;
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Override
    public synchronized Sender sender(int from, int to) throws IOException {
        SocketChannel channel = prepared(SocketChannel.open(server.getLocalAddress()));
        SocketChannel other = prepared(server.accept());
        boolean isAnswering = what.mode() == NetMode.ROUND_TRIP || what.mode() == NetMode.IDLE;
        Thread.ofPlatform().daemon().start(() -> serve(other, isAnswering));
        ByteBuffer message = ByteBuffer.allocateDirect(what.bytes());
        return new Sender() {
            @Override
            public void send() throws IOException {
                write(channel, message.clear());
            }

            @Override
            public void request() throws IOException {
                send();
                read(channel, message.clear());
            }
        };
    }

    private SocketChannel prepared(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(!isSpinning);
        channels.add(channel);
        return channel;
    }

    private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Fills a buffer; returns false at the end. */
    private static boolean read(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            int count = channel.read(bytes);
            if (count < 0) {
                return false;
            }
            if (count == 0) {
                Thread.onSpinWait();
            }
        }
        return true;
    }

    private void serve(SocketChannel channel, boolean isAnswering) {
        try {
            if (isAnswering) {
                ByteBuffer message = ByteBuffer.allocateDirect(what.bytes());
                while (read(channel, message.clear())) {
                    write(channel, message.flip());
                }
            } else {
                count(channel);
            }
        } catch (IOException _) {
            // it was closed
        }
    }

    private void count(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
        long part = 0;
        for (int count = channel.read(bytes); count >= 0; count = channel.read(bytes.clear())) {
            part += count;
            received.add(part / what.bytes());
            part %= what.bytes();
        }
    }

    @Override
    public long received() {
        return received.sum();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (SocketChannel channel : channels) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
