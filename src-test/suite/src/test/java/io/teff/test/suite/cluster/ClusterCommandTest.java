package io.teff.test.suite.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the commands of {@code teff cluster} start, show, kill, start again and end the nodes of a cluster on this
 * machine, and leave nothing running or listening, also if the supervisor was killed.
 *
 * <p>Method: the real command line in child JVMs, a superpeer and two peers as processes.
 */
final class ClusterCommandTest {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final long PATIENCE_S = 90;
    private static final int KILLED = 137;
    private static final int[] TCP = {0, 10, 11};
    private static final int UDP_FROM = 100;
    private static final int UDP_COUNT = 5;

    @TempDir
    private Path folder;
    private Path home;
    private int port;

    @BeforeEach
    void findPorts() {
        home = folder.resolve("cluster");
        do {
            port = 20_000 + ThreadLocalRandom.current().nextInt(60) * 200;
        } while (!busyPorts().isEmpty());
    }

    @AfterEach
    void endAll() throws Exception {
        if (Files.exists(home.resolve("cluster.txt"))) {
            Result down = teff("down");
            assertEquals(0, down.exitCode(), down.errors());
        }
        assertEquals(List.of(), processes(), "nothing is left running");
        assertEquals(List.of(), busyPorts(), "nothing is left listening");
    }

    private Result teff(String command, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN, "cluster", command,
            "--dir", home.toString()));
        words.addAll(List.of(more));
        return ChildProcess.java(folder, words.toArray(String[]::new));
    }

    private void up(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("--peers", "2", "--superpeers", "1", "--port",
            String.valueOf(port), "--memory", "64m"));
        words.addAll(List.of(more));
        Result result = teff("up", words.toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.errors());
        assertTrue(result.output().contains("ClusterStore.connect(\"tcp:127.0.0.1:" + port + "\")"), result.output());
    }

    private void succeed(String... words) throws Exception {
        Result result = teff(words[0], Stream.of(words).skip(1).toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.errors());
    }

    // ---- what runs ----

    private Map<String, Object> status() throws Exception {
        Result result = teff("status", "--json");
        assertEquals(0, result.exitCode(), result.errors());
        return JSON.std.mapFrom(result.output());
    }

    private static Map<?, ?> node(Map<String, Object> status, String name) {
        return ((List<?>) status.get("nodes")).stream().map(node -> (Map<?, ?>) node)
            .filter(node -> node.get("name").equals(name)).findFirst().orElseThrow();
    }

    /** The processes whose command lines name the cluster's folder. */
    private List<String> processes() {
        String name = home.toString();
        return ProcessHandle.allProcesses().filter(process -> process.isAlive()
                && process.info().commandLine().filter(line -> line.contains(name)).isPresent())
            .map(process -> process.pid() + " " + process.info().commandLine().orElse("")).toList();
    }

    private List<Integer> busyPorts() {
        List<Integer> busy = new ArrayList<>();
        for (int offset : TCP) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress("127.0.0.1", port + offset));
            } catch (IOException _) {
                busy.add(port + offset);
            }
        }
        for (int i = 0; i < UDP_COUNT; i++) {
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(new InetSocketAddress("127.0.0.1", port + UDP_FROM + i));
            } catch (IOException _) {
                busy.add(port + UDP_FROM + i);
            }
        }
        return busy;
    }

    private String supervisorLog() throws IOException {
        return Files.readString(home.resolve("supervisor.log"));
    }

    private void awaitLog(String text) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!supervisorLog().contains(text)) {
            assertTrue(System.nanoTime() - end < 0, () -> "not in the log: " + text);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void killSupervisor() throws Exception {
        long pid = Long.parseLong(Files.readString(home.resolve("supervisor.run")).split(" ")[0]);
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        process.destroyForcibly();
        process.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
    }

    // ---- the tests ----

    @Test
    void aCluster_isStarted_shown_hurt_mended_andEnded() throws Exception {
        up();
        Map<String, Object> status = status();
        assertEquals(true, status.get("answering"));
        for (String name : List.of("superpeer-1", "peer-1", "peer-2")) {
            assertEquals("up", node(status, name).get("state"), status::toString);
        }
        assertEquals(true, node(status, "superpeer-1").get("leading"));
        assertEquals(1, node(status, "peer-1").get("incarnation"));
        Object nid = node(status, "peer-1").get("nid");

        succeed("kill", "peer-1");
        awaitLog("the end of peer-1, node " + nid + "/1: Done");
        Map<String, Object> hurt = status();
        assertEquals("down", node(hurt, "peer-1").get("state"), hurt::toString);
        assertEquals(KILLED, node(hurt, "peer-1").get("exitCode"), hurt::toString);
        Result again = teff("kill", "peer-1");
        assertEquals(1, again.exitCode(), again.errors());

        succeed("start", "peer-1");
        Map<String, Object> mended = status();
        assertEquals("up", node(mended, "peer-1").get("state"), mended::toString);
        assertEquals(nid, node(mended, "peer-1").get("nid"), "the NID belongs to the folder");
        assertEquals(2, node(mended, "peer-1").get("incarnation"), mended::toString);
        Result running = teff("start", "peer-1");
        assertTrue(running.errors().contains("runs already"), running.errors());
        Result logs = teff("logs", "peer-1");
        assertTrue(logs.output().contains("ready: peer-1, peer with NID " + nid), logs.output());

        succeed("down");
        assertEquals(List.of(), processes());
        Result old = teff("up");
        assertEquals(1, old.exitCode());
        assertTrue(old.errors().contains("has an old cluster, whose nodes have ended"), old.errors());
    }

    @Test
    void nodes_whoseSupervisorWasKilled_goOn_areTakenOver_andEnded() throws Exception {
        up();
        killSupervisor();
        Map<String, Object> status = status();
        assertEquals(null, status.get("supervisor"));
        assertEquals("up", node(status, "peer-1").get("state"), status::toString);
        Result start = teff("start", "peer-1");
        assertEquals(1, start.exitCode());
        succeed("kill", "peer-2");
        Result orphan = teff("start", "peer-2");
        assertTrue(orphan.errors().contains("has no supervisor that could start peer-2"), orphan.errors());

        up();
        awaitLog("takes over peer-1");
        awaitLog("the end of peer-2");
        succeed("start", "peer-2");
        assertEquals("up", node(status(), "peer-2").get("state"));

        killSupervisor();
        Result down = teff("down");
        assertEquals(0, down.exitCode(), down.errors());
        assertTrue(down.output().contains("ended 3 nodes, which had no supervisor"), down.output());
    }

    @Test
    void up_withAPortInUse_namesIt_andStartsNothing() throws Exception {
        try (DatagramSocket _ = new DatagramSocket(new InetSocketAddress("127.0.0.1", port + UDP_FROM + 2))) {
            Result result = teff("up", "--port", String.valueOf(port));
            assertEquals(1, result.exitCode(), result.output());
            assertTrue(result.errors().contains("UDP port 127.0.0.1:" + (port + UDP_FROM + 2) + " cannot be used"),
                result.errors());
            assertTrue(result.errors().contains("--port PORT"), result.errors());
            assertFalse(Files.exists(home));
        }
    }
}
