package io.teff.cluster.console;

import java.io.IOException;
import java.net.URI;

/**
 * A console of a cluster: pages for a browser, and figures for Prometheus. Thread-safe.
 *
 * <p>The server is the small server of the JDK. Its limits are properties of the process, which the first console of a
 * process sets unless they are set.
 */
public final class Console implements AutoCloseable {
    private final Picture picture;
    private final Streams streams;
    private final ConsoleServer server;
    private final ConsoleSetup setup;

    private Console(ConsoleSetup setup, Picture picture, Streams streams, ConsoleServer server) {
        this.setup = setup;
        this.picture = picture;
        this.streams = streams;
        this.server = server;
    }

    /**
     * Starts a console.
     *
     * @param setup what the console needs
     * @return the console, to be closed
     * @throws IOException if the address cannot be listened at; connection and browser are closed then
     */
    public static Console start(ConsoleSetup setup) throws IOException {
        RequestLimits.apply();
        Picture picture = new Picture(setup);
        boolean isStarted = false;
        try {
            Texts texts = new Texts(setup, picture);
            Streams streams = new Streams(texts, setup);
            ConsoleServer server = ConsoleServer.start(setup, picture, texts, streams);
            picture.watch(streams::change);
            isStarted = true;
            return new Console(setup, picture, streams, server);
        } finally {
            if (!isStarted) {
                picture.close();
                setup.browser().close();
            }
        }
    }

    /** {@return where browsers find the console} */
    public URI address() {
        return server.address();
    }

    /** Ends the console. Idempotent. */
    @Override
    public void close() {
        server.close();
        streams.close();
        picture.close();
        setup.browser().close();
    }
}
