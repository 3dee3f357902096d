package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.PemFiles;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: nodes whose configuration files name a secret, a key and certificates serve clients that have them, and no
 * others. Method: a superpeer and two peers as processes, a client in this one.
 */
@Tag("processes")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NodeTlsTest {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    /** No other test of nodes has these ports, up to 19,000. */
    private static final int PORTS_FROM = 18_000;
    private static final int PORTS = 20;
    private static final int TRIES = 10;

    @TempDir
    private Path folder;
    private final List<Process> nodes = new ArrayList<>();
    private int port;

    @AfterEach
    void endNodes() throws Exception {
        nodes.forEach(Process::destroy);
        for (Process node : nodes) {
            if (!node.waitFor(60, TimeUnit.SECONDS)) {
                node.destroyForcibly();
            }
        }
    }

    private static int freePorts() {
        int first = 0;
        while (first == 0) {
            int tried = PORTS_FROM + ThreadLocalRandom.current().nextInt(30) * PORTS;
            try (ServerSocket one = new ServerSocket(); ServerSocket two = new ServerSocket();
                 ServerSocket three = new ServerSocket();
                 DatagramSocket _ = new DatagramSocket(new InetSocketAddress("127.0.0.1", tried + 10))) {
                one.bind(new InetSocketAddress("127.0.0.1", tried));
                two.bind(new InetSocketAddress("127.0.0.1", tried + 1));
                three.bind(new InetSocketAddress("127.0.0.1", tried + 2));
                first = tried;
            } catch (IOException _) {
                first = 0;
            }
        }
        return first;
    }

    private static List<String> words(String... more) {
        return Stream.concat(Stream.of("--enable-native-access=ALL-UNNAMED",
            "-Xmx96m", "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN), Stream.of(more)).toList();
    }

    private void start(String role, String name, int listen, String tables) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".toml"), """
            [node]
            role = "%s"
            folder = "%s"
            listen = "127.0.0.1:%d"

            [cluster]
            superpeers = ["127.0.0.1:%d"]
            secret-file = "secret"
            tls-key = "node.key"
            tls-certificate = "node.crt"
            tls-authority = "node.crt"

            """.formatted(role, name, listen, port) + tables);
        List<String> command = new ArrayList<>(List.of(ChildProcess.java()));
        command.addAll(words("node", "--config", file.toString()));
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        nodes.add(process);
    }

    private static void awaitReady(Process process) throws IOException {
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith("ready: ")) {
                return;
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("the node has ended: " + said);
    }

    /** Runs the command in this JVM, with files of the folder for options. */
    private Result status(String... options) {
        Stream<String> more = Stream.of(options).flatMap(option -> Stream.of(option,
            folder.resolve("node." + (option.endsWith("key") ? "key" : "crt")).toString()));
        return TeffCommand.here(Stream.concat(Stream.of("cluster", "status", "--superpeers", "127.0.0.1:" + port,
            "--secret-file", folder.resolve("secret").toString()), more).toArray(String[]::new));
    }

    @FullTier("36 s for nodes in processes; TlsConfigTest and TlsNetworkTest have the same in one")
    @Test
    void nodesWithTls_serveClientsThatTheyTrust_andNoOthers() throws Exception {
        PemFiles own = PemFiles.make(folder, "node", "-keyalg", "EC", "-groupname", "secp256r1");
        PemFiles stranger = PemFiles.make(folder, "stranger", "-keyalg", "EC", "-groupname", "secp256r1");
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        port = freePorts();
        start("superpeer", "superpeer", port, "");
        start("peer", "peer-1", port + 1, "[peer]\nmemory = \"64m\"\nring = \"8m\"\n");
        start("peer", "peer-2", port + 2, "[peer]\nmemory = \"64m\"\nring = \"8m\"\n");
        for (Process node : nodes) {
            awaitReady(node);
        }

        ClientConfig.Builder client = ClientConfig.builder("tcp:127.0.0.1:" + port).secret(Files.readAllBytes(secret))
            .timeoutNs(TimeUnit.SECONDS.toNanos(60));
        ClientConfig trusted = client.tls(own.key(), own.certificate(), own.certificate()).build();
        try (ClusterStore store = ClusterStore.connect(trusted)) {
            long cid = store.create(new byte[] {1, 2, 3});
            byte[] target = new byte[3];
            assertEquals(3, store.get(cid, target));
            assertArrayEquals(new byte[] {1, 2, 3}, target);
        }
        Result shown = status("--tls-key", "--tls-certificate", "--tls-authority");
        for (int i = 0; i < TRIES && shown.exitCode() == 1; i++) {  // it waits two seconds, which may be too short here
            shown = status("--tls-key", "--tls-certificate", "--tls-authority");
        }
        int code = shown.exitCode();
        assertTrue(code == 0 || code == 4, shown.output() + shown.errors());    // zones may have no backup yet
        assertTrue(shown.output().contains("127.0.0.1:" + (port + 2)), shown.output());

        Result plain = status();
        String said = plain.output() + plain.errors();
        for (int i = 0; i < TRIES && !said.contains("TLS"); i++) {      // it may not wait for the reason
            plain = status();
            said = plain.output() + plain.errors();
        }
        assertEquals(1, plain.exitCode(), said);
        assertTrue(said.contains("TLS"), said);
        ClientConfig other = client.tls(stranger.key(), stranger.certificate(), own.certificate())
            .timeoutNs(TimeUnit.SECONDS.toNanos(2)).build();
        assertThrows(StoreException.class, () -> ClusterStore.connect(other).close());
    }
}
