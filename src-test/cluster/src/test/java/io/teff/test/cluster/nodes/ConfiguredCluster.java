package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeSettings;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A superpeer and peers as processes, started by configuration files without a supervisor, as on several machines. */
final class ConfiguredCluster implements AutoCloseable {
    /** The name of the superpeer; peers are peer-1, peer-2 and so on. */
    static final String SUPERPEER = "superpeer";
    private static final long PATIENCE_S = 120;
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";

    private final Path folder;
    private final int port;
    private final Map<String, Process> nodes = new LinkedHashMap<>();

    /**
     * Starts the nodes.
     *
     * @param folder an existing folder, which has the files that the table names
     * @param peers number of peers
     * @param table lines of the table {@code cluster} of each node
     */
    ConfiguredCluster(Path folder, int peers, String table) throws IOException {
        this.folder = folder;
        int first;
        do {
            first = 20_000 + ThreadLocalRandom.current().nextInt(1_000) * 20;
        } while (!NodeSettings.portFaults(addresses(first, peers)).isEmpty());
        port = first;
        Starts.CLUSTER.count();
        start(SUPERPEER, "superpeer", port, table, "");
        for (int i = 1; i <= peers; i++) {
            start("peer-" + i, "peer", port + i, table, "[peer]\nmemory = \"64m\"\nring = \"8m\"\n");
        }
    }

    private static List<String> addresses(int first, int peers) {
        return IntStream.rangeClosed(first, first + peers).mapToObj(each -> "127.0.0.1:" + each).toList();
    }

    private void start(String name, String role, int listen, String table, String more) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".toml"), """
            [node]
            role = "%s"
            name = "%s"
            folder = "%s"
            log = "%s.log"
            listen = "127.0.0.1:%d"
            [cluster]
            superpeers = ["127.0.0.1:%d"]
            %s
            %s""".formatted(role, name, name, name, listen, port, table, more));
        List<String> command = List.of(ChildProcess.java(), "--enable-native-access=ALL-UNNAMED", "-Xmx96m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN, "node", "--config",
            file.toString());
        nodes.put(name, new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".out").toFile()).start());
    }

    /** Waits until all zones are served, and each has a backup. */
    void awaitBacked(ClientConfig client) throws IOException {
        try (ClusterAdmin admin = ClusterAdmin.connect(client)) {
            Threads.await(PATIENCE_S, () -> "each zone has a backup\n" + logs(), () -> {
                ClusterStatus tables = admin.tables();
                return !tables.zones().isEmpty() && tables.zones().stream().allMatch(zone ->
                    zone.state().isServed() && !zone.backups().isEmpty());
            });
        }
    }

    /** Writes a file of a secret or token. */
    static Path secret(Path file, String content) throws IOException {
        Files.writeString(file, content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** Returns the address of the superpeer. */
    String entrance() {
        return "127.0.0.1:" + port;
    }

    /** Returns the names of all nodes. */
    List<String> names() {
        return List.copyOf(nodes.keySet());
    }

    /** Returns the log of a node. */
    String log(String node) {
        try {
            Path file = folder.resolve(node + ".log");
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the log of a node has a text. */
    void awaitLog(String node, String text) {
        Threads.await(PATIENCE_S, () -> "in the log of " + node + ": " + text + "\n" + log(node),
            () -> log(node).contains(text));
    }

    private String logs() {
        StringBuilder all = new StringBuilder();
        names().forEach(name -> all.append("---- ").append(name).append('\n').append(log(name)));
        return all.toString();
    }

    /** Checks that all processes run. */
    void checkAlive() {
        nodes.forEach((name, process) -> assertTrue(process.isAlive(), () -> name + " has ended:\n" + log(name)));
    }

    @Override
    public void close() {
        nodes.values().forEach(Process::destroy);
        nodes.values().forEach(node -> {
            try {
                if (!node.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                    node.destroyForcibly();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                node.destroyForcibly();
            }
        });
    }
}
