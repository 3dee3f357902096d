package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that SIGTERM asks to end exits with code 0, as managers of services expect. */
@Tag("processes")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NodeExitTest {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";

    @TempDir
    private Path folder;
    private Process node;

    @AfterEach
    void endNode() {
        node.destroyForcibly();
    }

    private void start(String role, int listen, int superpeer, String more) throws IOException {
        Path file = Files.writeString(folder.resolve("node.toml"), """
            [node]
            role = "%s"
            folder = "data"
            listen = "127.0.0.1:%d"
            log = "node.log"
            [cluster]
            superpeers = ["127.0.0.1:%d"]
            """.formatted(role, listen, superpeer) + more);
        Starts.JVM.count();
        node = new ProcessBuilder(List.of(ChildProcess.java(), "--enable-native-access=ALL-UNNAMED",
            "-Xmx96m", "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN, "node", "--config", file.toString()))
            .directory(folder.toFile()).redirectErrorStream(true).start();
    }

    private String log() {
        try {
            Path log = folder.resolve("node.log");
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void endWithCode0() throws InterruptedException {
        node.destroy();                                         // SIGTERM
        assertTrue(node.waitFor(CommandedCluster.PATIENCE_S, TimeUnit.SECONDS));
        assertEquals(0, node.exitValue(), this::log);
    }

    @Test
    void aPeer_thatWaitsForASuperpeer_exitsWithCode0() throws Exception {
        int port = LocalPorts.free();
        start("peer", port + 1, port, "");
        CommandedCluster.await(() -> log().contains(" node: starts: "), "the node has begun");
        endWithCode0();
    }

    @Test
    @FullTier("a start of a superpeer, while the tier gate has a peer that waits for a superpeer")
    void aSuperpeer_thatIsReady_endsInOrder_andExitsWithCode0() throws Exception {
        int port = LocalPorts.free();
        start("superpeer", port, port, "");
        try (BufferedReader reader = node.inputReader(StandardCharsets.UTF_8)) {
            TeffCommand.line(reader, "ready: ");
            endWithCode0();
        }
        assertTrue(log().contains(" node: ended"), this::log);
        assertFalse(Files.exists(folder.resolve("data/node.run")));
    }
}
