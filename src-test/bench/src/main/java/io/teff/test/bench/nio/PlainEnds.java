package io.teff.test.bench.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** Two channels of java.nio, with a thread each. */
final class PlainEnds implements Ends {
    private static final long PATIENCE_MS = 10_000;

    private final NioCase what;
    private final SelectorProvider clientProvider;
    private final SelectorProvider serverProvider;
    private final ServerSocketChannel listener;
    private final SocketChannel client;
    private final SocketChannel server;
    private final Trips trips = new Trips();
    private final AtomicLong count = new AtomicLong();
    private final Thread calling;
    private final Thread serving;

    PlainEnds(NioKind kind, NioCase what, String registry) throws IOException {
        this.what = what;
        clientProvider = kind.open(registry);
        serverProvider = kind.open(registry);
        listener = serverProvider.openServerSocketChannel()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = clientProvider.openSocketChannel();
        client.connect(listener.getLocalAddress());
        server = listener.accept();
        for (SocketChannel channel : new SocketChannel[] {client, server}) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(what.mode() != NioMode.PLAIN_TRIP);
        }
        final boolean isTrip = what.mode() != NioMode.PLAIN_RATE;
        calling = Thread.ofPlatform().name("client").unstarted(() -> run(isTrip ? this::call : this::send));
        serving = Thread.ofPlatform().name("server").unstarted(() -> run(isTrip ? this::serve : this::receive));
    }

    private interface Part {
        void run() throws IOException;
    }

    private void run(Part part) {
        try {
            part.run();
        } catch (IOException | RuntimeException e) {
            trips.failed(e);
        }
    }

    @Override
    public void start() {
        serving.start();
        calling.start();
    }

    /** Reads a whole message; false at the end of the stream. */
    private boolean fill(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    private void flush(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private void call() throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(what.bytes());
        long before = System.nanoTime();
        while (!trips.isOver()) {
            flush(client, buffer);
            if (!fill(client, buffer)) {
                return;
            }
            final long now = System.nanoTime();
            trips.record(now - before);
            before = now;
            count.lazySet(count.get() + 1);
        }
        client.shutdownOutput();
    }

    private void serve() throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(what.bytes());
        while (fill(server, buffer)) {
            flush(server, buffer);
        }
    }

    private void send() throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(what.bytes());
        while (!trips.isOver()) {
            flush(client, buffer);
        }
        client.shutdownOutput();
    }

    private void receive() throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(what.bytes());
        while (fill(server, buffer)) {
            count.lazySet(count.get() + 1);
        }
    }

    @Override
    public void restart() {
        trips.restart();
    }

    @Override
    public long count() {
        return count.get();
    }

    @Override
    public boolean isFailed() {
        return trips.isFailed();
    }

    @Override
    public Histogram stop() throws InterruptedException {
        trips.over();
        calling.join(PATIENCE_MS);
        serving.join(PATIENCE_MS);
        return trips.result();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        listener.close();
        IdleEnds.close(clientProvider);
        IdleEnds.close(serverProvider);
    }
}
