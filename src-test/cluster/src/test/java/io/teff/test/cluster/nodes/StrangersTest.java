package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a program without the secret of the cluster, of another user if the test may choose the user, changes nothing
 * at any port of any node, now and after a restart. Method: three superpeers and two peers as processes, a
 * {@link Stranger} in another process, clients with a guessed secret, and a client that works in the meantime.
 */
@Tag("processes")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StrangersTest {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final int SUPERPEERS = 3;
    private static final int CHUNKS = 200;
    /** The user nobody. */
    private static final String USER = "65534";

    @TempDir
    private Path folder;
    private final Map<String, Process> nodes = new LinkedHashMap<>();
    private final List<Process> others = new ArrayList<>();
    private final int port = LocalPorts.free();

    @AfterEach
    void endAll() throws Exception {
        others.forEach(Process::destroyForcibly);
        nodes.values().forEach(Process::destroy);
        for (Process node : nodes.values()) {
            if (!node.waitFor(60, TimeUnit.SECONDS)) {
                node.destroyForcibly();
            }
        }
    }

    // ---- the cluster ----

    private String addresses(int first) {
        return IntStream.range(0, SUPERPEERS).mapToObj(i -> "\"127.0.0.1:" + (first + i) + '"')
            .collect(Collectors.joining(", "));
    }

    private void start(String role, String name, int listen, String tables) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".toml"), """
            [node]
            role = "%s"
            folder = "%s"
            listen = "127.0.0.1:%d"

            [cluster]
            superpeers = [%s]
            secret-file = "secret"

            %s
            """.formatted(role, name, listen, addresses(port), tables));
        List<String> command = List.of(ChildProcess.java(), "--enable-native-access=ALL-UNNAMED",
            "-Xmx96m", "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN, "node", "--config", file.toString());
        nodes.put(name, new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start());
    }

    private void startSuperpeers() throws IOException {
        for (int i = 0; i < SUPERPEERS; i++) {
            start("superpeer", "superpeer-" + i, port + i, "");
        }
    }

    private static void await(Process process, String begin) throws IOException {
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith(begin)) {
                assertEquals("", said.toString().contains("entered") ? "a stranger has entered the folder" : "");
                return;
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("the process has ended: " + said);
    }

    private void awaitSuperpeers() throws IOException {
        for (Map.Entry<String, Process> node : nodes.entrySet()) {
            if (node.getKey().startsWith("superpeer")) {
                await(node.getValue(), "ready: ");
            }
        }
    }

    // ---- the client ----

    private static ClusterStore connect(int at, Path secret) throws IOException {
        return ClusterStore.connect(ClientConfig.builder("tcp:127.0.0.1:" + at).secret(Files.readAllBytes(secret))
            .timeoutNs(TimeUnit.SECONDS.toNanos(60)).build());
    }

    private static void work(ClusterStore store, List<Long> cids) {
        for (int i = 0; i < CHUNKS; i++) {
            cids.add(store.create(content(cids.size())));
        }
        check(store, cids);
    }

    private static void check(ClusterStore store, List<Long> cids) {
        byte[] target = new byte[Integer.BYTES];
        for (int i = 0; i < cids.size(); i++) {
            assertEquals(Integer.BYTES, store.get(cids.get(i), target));
            assertEquals(Arrays.toString(content(i)), Arrays.toString(target));
        }
    }

    private static byte[] content(int number) {
        return new byte[] {(byte) number, (byte) (number >> Byte.SIZE), 3, 4};
    }

    /** Returns what a client has said to a superpeer until the client was connected. */
    private byte[] recordedGreeting(Path secret) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> pass(between, said));
            connect(between.getLocalPort(), secret).close();
        }
        synchronized (said) {
            assertTrue(said.size() > 0, "the client has used the proxy");
            return said.toByteArray();
        }
    }

    /** Passes links on, one after the other: on a busy machine a client ends a link and opens another link. */
    private void pass(ServerSocket between, ByteArrayOutputStream said) {
        while (true) {
            try (Socket client = between.accept(); Socket node = new Socket(InetAddress.getLoopbackAddress(), port)) {
                synchronized (said) {
                    said.reset();
                }
                Thread.ofPlatform().daemon().start(() -> copy(node, client, new ByteArrayOutputStream()));
                copy(client, node, said);
            } catch (IOException _) {
                if (between.isClosed()) {
                    return;
                }
            }
        }
    }

    private static void copy(Socket from, Socket to, ByteArrayOutputStream seen) {
        byte[] bytes = new byte[4_096];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                synchronized (seen) {
                    seen.write(bytes, 0, count);
                }
                out.write(bytes, 0, count);
            }
        } catch (IOException _) {
            return;                                             // one side has closed the link
        }
    }

    // ---- the stranger ----

    /** Starts a stranger, as another user if this user may do so. */
    private Process stranger(byte[] greeting) throws IOException {
        Path home = Files.createDirectories(folder.resolve("stranger"));
        Path type = Files.createDirectories(home.resolve("io/teff/test/cluster/nodes")).resolve("Stranger.class");
        try (InputStream bytes = Stranger.class.getResourceAsStream("Stranger.class")) {
            Files.copy(bytes, type);
        }
        Path recorded = Files.write(home.resolve("greeting"), greeting);
        String tcp = Stream.of(0, 1, 2, 10, 11).map(i -> String.valueOf(port + i)).collect(Collectors.joining(","));
        List<String> asAnother = List.of("/usr/bin/setpriv", "--reuid=" + USER, "--clear-groups");
        boolean isRoot = System.getProperty("user.name").equals("root") && canRun(asAnother);
        List<String> command = new ArrayList<>(isRoot ? asAnother : List.of());
        command.addAll(List.of(ChildProcess.java(), "-Xmx64m", "-cp", home.toString(), Stranger.class.getName(),
            recorded.toString(), isRoot ? folder.resolve("superpeer-0").resolve("cell").toString() : "/nothing", tcp));
        Process process = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
        others.add(process);
        return process;
    }

    /** Returns whether another user may run the JDK. */
    private static boolean canRun(List<String> asAnother) throws IOException {
        if (!Files.exists(Path.of(asAnother.getFirst()))) {
            return false;
        }
        List<String> command = new ArrayList<>(asAnother);
        command.addAll(List.of(ChildProcess.java(), "-version"));
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @FullTier("a minute for six processes; HostileTest and RaftCodecTest have the parts")
    @Test
    void strangers_changeNothing_atAnyPort_alsoAfterARestart() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef");
        Path guessed = Files.writeString(folder.resolve("guessed"), "fedcba9876543210");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        startSuperpeers();
        start("peer", "peer-1", port + 10, "[peer]\nmemory = \"64m\"\nring = \"8m\"\n");
        start("peer", "peer-2", port + 11, "[peer]\nmemory = \"64m\"\nring = \"8m\"\n");
        for (Process node : nodes.values()) {
            await(node, "ready: ");
        }
        List<Long> cids = new ArrayList<>();
        byte[] greeting = recordedGreeting(secret);
        try (ClusterStore store = connect(port, secret)) {
            work(store, cids);
            Process stranger = stranger(greeting);
            work(store, cids);
            for (int i = 0; i < SUPERPEERS; i++) {
                int at = port + i;
                StoreException refused = assertThrows(StoreException.class, () -> connect(at, guessed));
                assertTrue(refused.toString().contains("need the same secret"), refused::toString);
            }
            await(stranger, "held");
            work(store, cids);                                  // while links are held half open
            stranger.getOutputStream().close();
            assertTrue(stranger.waitFor(60, TimeUnit.SECONDS));
            work(store, cids);
            for (Map.Entry<String, Process> node : nodes.entrySet()) {
                assertTrue(node.getValue().isAlive(), node.getKey());
            }
        }
        for (int i = 0; i < SUPERPEERS; i++) {
            nodes.get("superpeer-" + i).destroy();
        }
        for (int i = 0; i < SUPERPEERS; i++) {
            assertTrue(nodes.get("superpeer-" + i).waitFor(60, TimeUnit.SECONDS));
        }
        startSuperpeers();
        awaitSuperpeers();
        try (ClusterStore store = connect(port, secret)) {
            work(store, cids);
        }
    }
}
