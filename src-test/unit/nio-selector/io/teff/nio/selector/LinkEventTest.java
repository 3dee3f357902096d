package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of Flight Recorder name way, reason and addresses of each connection. */
final class LinkEventTest {
    private static final String NAME = "io.teff.nio.Link";

    @TempDir
    private Path folder;

    @Test
    void connections_ofBothWays_haveAnEventAtEachEnd() throws IOException {
        final Path file = folder.resolve("links.jfr");
        final int plainPort;
        final int port;
        try (Providers providers = new Providers(folder); Recording recording = new Recording()) {
            providers.assumeLinks();
            recording.enable(NAME);
            recording.start();
            port = connect(providers.client, providers.server);
            plainPort = connect(Providers.JDK, providers.server);
            recording.stop();
            recording.dump(file);
        }
        final List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals(NAME)).toList();
        assertEquals(2, count(events, "ucx", LinkReason.UCX, port), events::toString);
        assertEquals(1, count(events, "tcp", LinkReason.PLAIN_CLIENT, plainPort), events::toString);
        assertTrue(events.size() >= 3, events::toString);
    }

    private static int connect(SelectorProvider client, SelectorProvider server) throws IOException {
        try (ServerSocketChannel listener = Providers.listen(server);
                SocketChannel dialed = client.openSocketChannel()) {
            dialed.connect(listener.getLocalAddress());
            try (SocketChannel accepted = listener.accept()) {
                return accepted.socket().getPort();
            }
        }
    }

    private static int count(List<RecordedEvent> events, String way, LinkReason reason, int clientPort) {
        return (int) events.stream().filter(event -> event.getString("way").equals(way)
            && event.getString("reason").equals(reason.text())
            && (event.getString("localAddress").endsWith(":" + clientPort)
                || event.getString("remoteAddress").endsWith(":" + clientPort))).count();
    }
}
