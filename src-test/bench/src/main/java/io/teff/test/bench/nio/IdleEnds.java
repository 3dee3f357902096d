package io.teff.test.bench.nio;

import io.teff.nio.selector.TeffSelectorProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;

/** Connections that rest, each end registered with a selector in which a thread waits. */
final class IdleEnds implements AutoCloseable {
    private final SelectorProvider clientProvider;
    private final SelectorProvider serverProvider;
    private final ServerSocketChannel listener;
    private final int count;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final List<Selector> selectors = new ArrayList<>();

    IdleEnds(NioKind kind, int count, String registry) throws IOException {
        this.count = count;
        clientProvider = kind.open(registry);
        serverProvider = kind.open(registry);
        listener = serverProvider.openServerSocketChannel()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        selectors.add(clientProvider.openSelector());
        selectors.add(serverProvider.openSelector());
    }

    /** Makes all connections, and lets each carry a byte. */
    void connect() throws IOException {
        for (int i = 0; i < count; i++) {
            final SocketChannel client = clientProvider.openSocketChannel();
            client.connect(listener.getLocalAddress());
            final SocketChannel server = listener.accept();
            client.write(ByteBuffer.allocate(1));
            if (server.read(ByteBuffer.allocate(1)) != 1) {
                throw new IOException("no byte");
            }
            channels.add(client);
            channels.add(server);
        }
        for (int i = 0; i < channels.size(); i++) {
            channels.get(i).configureBlocking(false);
            channels.get(i).register(selectors.get(i % selectors.size()), SelectionKey.OP_READ);
        }
        for (Selector selector : selectors) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    selector.select();
                } catch (IOException | ClosedSelectorException e) {
                    assert !selector.isOpen();
                }
            });
        }
    }

    static void close(SelectorProvider provider) throws IOException {
        if (provider instanceof TeffSelectorProvider own) {
            own.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        for (Selector selector : selectors) {
            selector.close();
        }
        listener.close();
        close(clientProvider);
        close(serverProvider);
    }
}
