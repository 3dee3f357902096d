package io.teff.test.cluster.kills;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.config.Address;
import io.teff.cluster.control.CellLink;
import io.teff.cluster.meta.NodeRef;
import io.teff.engine.os.Platform;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A cluster as on machines of their own: one {@code ./teff node} at each host of a {@link HostNetwork}, superpeers
 * first. Clients are in this process, and reach all hosts.
 */
final class HostCluster extends TestedCluster {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final int PORT = 7_400;
    static final String SECRET = "a-secret-that-only-tests-will-use";

    private final Path home;
    private final HostNetwork network;
    private final int superpeers;
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final CellLink link;

    /**
     * Starts a cluster.
     *
     * @param home its folder, which does not exist
     * @param network at least as many hosts as nodes
     * @param superpeers number of superpeers, 1, 3 or 5
     * @param peers number of peers, more than {@link #BACKUPS}
     */
    HostCluster(Path home, HostNetwork network, int superpeers, int peers) throws IOException, InterruptedException {
        super(home, peers);
        this.home = Files.createDirectories(home);
        this.network = network;
        this.superpeers = superpeers;
        final Path secret = home.resolve("secret");
        Files.createFile(secret, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, SECRET);
        boolean isStarted = false;
        try {
            for (int host = 1; host <= superpeers + peers; host++) {
                start(host);
            }
            link = CellLink.open(ClientConfig.builder(entrances().stream().map(Address::link).toArray(String[]::new))
                .secret(secret).build(), Platform.SYSTEM);
            isStarted = true;
        } finally {
            if (!isStarted) {
                end();
            }
        }
    }

    private void start(int host) throws IOException {
        final boolean isSuperpeer = host <= superpeers;
        final String name = name(host);
        final Path file = Files.createDirectories(home.resolve(name)).resolve("node.toml");
        Files.writeString(file, """
            [node]
            role = "%s"
            name = "%s"
            folder = "data"
            listen = "%s:%d"
            log = "node.log"
            [cluster]
            superpeers = %s
            secret-file = "../secret"
            """.formatted(isSuperpeer ? "superpeer" : "peer", name, network.address(host), PORT, addresses(PORT))
            + (isSuperpeer ? "" : """
            [peer]
            memory = "128m"
            """));
        final List<String> command = new ArrayList<>(network.at(host));
        command.addAll(List.of(ChildProcess.java(), "-XX:+UseSerialGC", "-Xss512k", "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED", "-Xmx96m"));
        if (isSuperpeer || !Form.isLong()) {                    // in the short form peers live for seconds
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.addAll(List.of("-cp", ChildProcess.classPath(), MAIN, "node", "--config", file.toString()));
        final Process process = new ProcessBuilder(command).directory(file.getParent().toFile())
            .redirectErrorStream(true).redirectOutput(file.resolveSibling("node.out").toFile()).start();
        process.getOutputStream().close();
        processes.put(name, process);
    }

    private String name(int host) {
        return host <= superpeers ? "superpeer-" + host : "peer-" + (host - superpeers);
    }

    private String addresses(int port) {
        return IntStream.rangeClosed(1, superpeers).mapToObj(host -> '"' + network.address(host) + ':' + port + '"')
            .toList().toString();
    }

    private List<Address> entrances() {
        return IntStream.rangeClosed(1, superpeers)
            .mapToObj(host -> new Address(Address.TCP, network.address(host), PORT)).toList();
    }

    /** Returns the address of the first superpeer. */
    String entrance() {
        return entrances().getFirst().link();
    }

    /** Returns the life of the peer at a host that counts. */
    NodeRef life(int host) {
        return lives().stream().filter(life -> host(life) == host).findFirst().orElseThrow(
            () -> new AssertionError("host " + host + " has no peer that lives: " + logs()));
    }

    /** Returns the host of a node that the tables have. */
    int host(NodeRef life) {
        final String address = Objects.requireNonNull(link.tables().node(life.nid()), life::toString).address();
        final int end = address.lastIndexOf(':');
        return Integer.parseInt(address.substring(address.lastIndexOf('.', end) + 1, end));
    }

    @Override
    ClusterStore connect() {
        return ClusterStore.connect(ClientConfig.builder(entrances().stream().map(Address::link)
            .toArray(String[]::new)).secret(SECRET.getBytes(StandardCharsets.UTF_8))
            .timeoutNs(TimeUnit.MINUTES.toNanos(2)).build());
    }

    @Override
    List<String> superpeers() {
        return processes.keySet().stream().filter(name -> name.startsWith("superpeer-")).toList();
    }

    @Override
    CellLink link() {
        return link;
    }

    private void end() {
        processes.values().forEach(Process::destroyForcibly);
        processes.values().forEach(process -> process.onExit().join());
    }

    /** Kills all processes: their cluster is not used again. */
    @Override
    public void close() {
        link.close();
        end();
    }
}
