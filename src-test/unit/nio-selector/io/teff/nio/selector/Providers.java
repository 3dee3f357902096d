package io.teff.nio.selector;

import io.teff.nio.selector.report.LinkReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Providers of tests: two providers of Teff stand for two programs. */
final class Providers implements AutoCloseable {
    static final SelectorProvider JDK = SelectorProvider.provider();
    private static final String ANY_PORT = "127.0.0.1";
    private static boolean isSaid;

    final TeffSelectorProvider client;
    final TeffSelectorProvider server;

    Providers(Path folder) {
        this(SelectorSettings.DEFAULT.withRegistry(folder.resolve("registry").toString()));
    }

    Providers(SelectorSettings settings) {
        client = TeffSelectorProvider.create(settings);
        server = TeffSelectorProvider.create(settings);
    }

    /** Skips a test without UCX, with one line of the whole run that says why. */
    void assumeLinks() throws IOException {
        try (ServerSocketChannel listener = listen(server); SocketChannel dialed = client.openSocketChannel()) {
            dialed.connect(listener.getLocalAddress());
            try (SocketChannel accepted = listener.accept()) {
                if (client.counts().get(LinkReason.NO_UCX) > 0 && accepted.isOpen()) {
                    say("nio: skipped, " + client.lastFailure());
                    Assumptions.abort("no UCX");
                }
            }
        }
    }

    private static synchronized void say(String line) {
        if (!isSaid) {
            isSaid = true;
            System.out.println(line);
        }
    }

    static ServerSocketChannel listen(SelectorProvider provider) throws IOException {
        return provider.openServerSocketChannel().bind(new InetSocketAddress(ANY_PORT, 0));
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
