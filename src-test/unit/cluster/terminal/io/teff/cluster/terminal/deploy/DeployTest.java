package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a cluster of three hosts is checked, started, rolled under load, returned, ended, started again and removed.
 * Method: real ssh, a real sshd for each host, commands and nodes in processes of their own.
 */
@Tag("processes")
@FullTier("Starts three daemons of ssh and six nodes, and rolls the nodes twice, for two minutes.")
@Timeout(600)
final class DeployTest {
    private static final int CHUNKS = 200;

    private Path folder;
    private SshHosts hosts;
    private ChildProcess.Result last = new ChildProcess.Result(0, "", "");

    @BeforeEach
    void start() throws Exception {
        String missing = SshHosts.missing();
        assumeTrue(missing == null, "left out: " + missing);
        folder = Files.createTempDirectory("teff-deploy-test");
        hosts = new SshHosts(folder);
        Starts.CLUSTER.count();
    }

    @AfterEach
    void end() throws Exception {
        if (hosts != null) {
            try (SshHosts _ = hosts) {
                run(0, List.of(), "stop");
                run(0, List.of(), "remove", "--data", "--yes");
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted((one, two) -> two.compareTo(one)).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Runs a command of deploy, with more entries of the class path. */
    private String run(int exitCode, List<Path> more, String command, String... words) throws Exception {
        List<String> entries = new ArrayList<>(List.of(ChildProcess.everything()));
        more.forEach(path -> entries.add(path.toString()));
        List<String> all = new ArrayList<>(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED", "-cp", String.join(File.pathSeparator, entries),
            "io.teff.cluster.terminal.cli.Terminal", "deploy", command, hosts.file().toString()));
        all.addAll(List.of(words));
        Map<String, String> environment = new HashMap<>(Map.of("PATH", System.getenv("PATH")));
        environment.put("HOME", System.getProperty("user.home"));
        last = ChildProcess.java(folder, environment, all.toArray(String[]::new));
        assertEquals(exitCode, last.exitCode(), () -> command + "\n" + last.output() + last.errors());
        return last.output();
    }

    private ClusterStore client() throws IOException {
        return ClusterStore.connect(ClientConfig.builder(hosts.superpeers()).secret(hosts.secret()).build());
    }

    /** Changes chunks until told to end; the first failure ends the load, and fails the test. */
    private static final class Load {
        private final AtomicBoolean isEnded = new AtomicBoolean();
        private final AtomicLong changes = new AtomicLong();
        private final AtomicLong longestNs = new AtomicLong();
        private final Threads.Running running;

        Load(ClusterStore store, long[] cids) {
            running = Threads.start("load", _ -> {
                byte[] value = new byte[Long.BYTES];
                for (int i = 0; !isEnded.get(); i++) {
                    long begunNs = System.nanoTime();
                    assertEquals(0, store.put(cids[i % CHUNKS], value));
                    longestNs.accumulateAndGet(System.nanoTime() - begunNs, Math::max);
                    changes.incrementAndGet();
                }
            });
        }

        void end() throws Exception {
            isEnded.set(true);
            running.end();
        }
    }

    @Test
    void cluster_isDeployed_rolled_returned_andRemoved() throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(hosts.peer(1));
            String found = run(1, List.of(), "check", "--json");
            assertTrue(found.contains("cannot be used") && found.contains("ss -ltnp"), found);
        }
        String first = version(run(0, List.of(), "up", "--json"));
        assertTrue(run(0, List.of(), "status").contains(first));
        long[] cids = new long[CHUNKS];
        try (ClusterStore store = client()) {
            for (int i = 0; i < CHUNKS; i++) {
                cids[i] = store.create(new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) i});
            }
            Load load = new Load(store, cids);
            String second = roll(first);
            rollBack(second);
            load.end();
            System.out.println("changes during two rolls: " + load.changes + ", the longest took "
                + load.longestNs.get() / 1_000_000 + " ms");
            for (int i = 0; i < CHUNKS; i++) {
                store.put(cids[i], new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) i});
            }
        }
        Path logs = folder.resolve("logs");
        run(0, List.of(), "logs", "--to", logs.toString());
        ChildProcess.Result list = ChildProcess.run(folder, Map.of("PATH", System.getenv("PATH")), List.of("tar", "-tf",
            logs.resolve("h1.tar").toString()));
        assertTrue(list.output().contains("nodes/peer-h1/node.log"), list::output);
        assertFalse(list.output().contains("secret"), list::output);
        run(1, List.of(), "remove", "--yes");                   // nodes run
        run(0, List.of(), "stop");
        run(3, List.of(), "status");
        run(0, List.of(), "start");
        try (ClusterStore store = client()) {
            byte[] buffer = new byte[Long.BYTES];
            for (int i = 0; i < CHUNKS; i++) {
                assertEquals(Long.BYTES, store.get(cids[i], buffer));
                assertEquals((byte) i, buffer[7]);
            }
        }
        run(0, List.of(), "stop");
        run(0, List.of(), "remove", "--yes");
        assertTrue(Files.exists(hosts.teff(0).resolve("nodes/peer-h1/data")));
        assertFalse(Files.exists(hosts.teff(0).resolve("versions")));
    }

    /** Rolls all nodes to another version; returns its name. */
    private String roll(String first) throws Exception {
        String rolled = run(0, List.of(Files.writeString(folder.resolve("another.txt"), "another version")), "roll",
            "--json");
        String second = version(rolled);
        assertFalse(second.equals(first));
        assertEquals(6, rolled.split("\"rolled\"", -1).length - 1, rolled);
        String status = run(0, List.of(), "status");
        assertTrue(status.contains(second) && !status.contains(first), status);
        return second;
    }

    /** A version without the program: the first node returns to its version, and no other node is touched. */
    private void rollBack(String second) throws Exception {
        for (int host = 0; host < 3; host++) {
            Files.createDirectories(hosts.teff(host).resolve("versions/broken/lib"));
        }
        String returned = run(4, List.of(), "roll", "--version", "broken", "--json");
        assertTrue(returned.contains("\"returned\"") && returned.contains("ClassNotFoundException"), returned);
        String status = run(0, List.of(), "status");
        assertEquals(6, status.split(second, -1).length - 1, status);
    }

    private static String version(String json) {
        int begin = json.indexOf("\"v", json.indexOf("\"version\"") + 9) + 1;
        return json.substring(begin, json.indexOf('"', begin));
    }
}
