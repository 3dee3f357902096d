package io.teff.nio.selector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.nio.selector.report.LinkReason;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first connect to a program of this machine waits for the path as long as the settings say. */
final class FirstWaitTest {
    /** The line of an entry of the registry that has the socket for offers. */
    private static final int SOCKET_LINE = 2;

    @TempDir
    private Path folder;

    @Test
    void connect_toAProgramThatNeverAnswers_goesByTcpBehindTheTimeOfTheSettings() throws IOException {
        Path registry = folder.resolve("registry");
        SelectorSettings settings = SelectorSettings.DEFAULT.withRegistry(registry.toString()).withFirstWaitMs(1);
        try (Providers providers = new Providers(settings)) {
            providers.assumeLinks();
        }
        try (Providers providers = new Providers(settings);
                ServerSocketChannel listener = Providers.listen(providers.server);
                ServerSocketChannel silent = takeSocket(registry);
                SocketChannel dialed = providers.client.openSocketChannel()) {
            dialed.connect(listener.getLocalAddress());
            assertEquals(1, providers.client.counts().get(LinkReason.UNREACHABLE), silent::toString);
            assertEquals("no path to the program within 1 ms",
                Objects.requireNonNull(providers.client.lastFailure()).getMessage());
        }
    }

    /** Listens in place of the only program of a registry. */
    private static ServerSocketChannel takeSocket(Path registry) throws IOException {
        try (var entries = Files.list(registry)) {
            Path entry = entries.filter(file -> file.getFileName().toString().matches("[0-9]+-.*")).findAny()
                .orElseThrow();
            Path socket = Path.of(Files.readAllLines(entry).get(SOCKET_LINE));
            Files.delete(socket);
            return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        }
    }

    @Test
    void settings_outOfRange_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> SelectorSettings.DEFAULT.withFirstWaitMs(0));
        assertThrows(IllegalArgumentException.class,
            () -> SelectorSettings.DEFAULT.withFirstWaitMs(SelectorSettings.FIRST_WAIT_MS_MAX + 1));
    }
}
