package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.tools.attach.VirtualMachine;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the commands of {@code teff cluster} start, show, kill, start again and end the nodes of a cluster on this
 * machine, and leave nothing running or listening, also if the supervisor was killed.
 *
 * <p>Method: the real command line in child JVMs. All tests but one use one cluster of three superpeers and two peers;
 * each leaves it as it was, but for incarnations and leaders.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ClusterCommandTest {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final long PATIENCE_S = 240;
    private static final int KILLED = 137;
    private static final int UNKNOWN = -1;
    private static final int ENDED = 143;
    private static final int PORTS = 125;
    private static final int UP_ATTEMPTS = 3;
    private static final int[] TCP = {0, 1, 2, 10, 11};
    private static final int UDP_FROM = 100;
    private static final int UDP_COUNT = 15;
    private static final List<String> SUPERPEERS = List.of("superpeer-1", "superpeer-2", "superpeer-3");

    @TempDir
    private static Path folder;
    private static Path home;
    private static int port;

    @BeforeAll
    static void startCluster() throws Exception {
        for (int attempt = 1; ; attempt++) {                   // the machine may be too busy, or a port taken meanwhile
            home = folder.resolve("cluster-" + attempt);
            port = freePorts();
            try {
                up("--peers", "2");                            // and three superpeers, as it is by default
                return;
            } catch (AssertionError e) {
                if (attempt == UP_ATTEMPTS) {
                    throw e;
                }
                System.out.println("again: " + e);
                teff("down");                                  // if anything runs
            }
        }
    }

    @AfterAll
    static void endCluster() throws Exception {
        Result down = teff("down");
        assertEquals(0, down.exitCode(), down.errors());
        assertEquals(List.of(), processes(home), "nothing is left running");
        assertEquals(List.of(), busyPorts(port), "nothing is left listening");
    }

    // ---- command lines ----

    private static List<String> words(Path cluster, String command, String... more) {
        List<String> words = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN, "cluster", command,
            "--dir", cluster.toString()));
        words.addAll(List.of(more));
        return words;
    }

    private static Result teff(String command, String... more) throws Exception {
        return ChildProcess.java(folder, words(home, command, more).toArray(String[]::new));
    }

    /** Starts a command whose output is read while it runs. */
    private static Process begin(Path cluster, String command, String... more) throws IOException {
        List<String> words = words(cluster, command, more);
        words.addFirst(ChildProcess.java());
        return new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
    }

    private static void up(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("--port", String.valueOf(port), "--memory", "64m"));
        words.addAll(List.of(more));
        Result result = teff("up", words.toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.errors());
        assertTrue(result.output().contains("ClusterStore.connect(\"tcp:127.0.0.1:" + port + "\", \"tcp:127.0.0.1:"),
            result.output());
    }

    private static void succeed(String... words) throws Exception {
        Result result = teff(words[0], Stream.of(words).skip(1).toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.errors());
    }

    private static void fail(String expected, String... words) throws Exception {
        Result result = teff(words[0], Stream.of(words).skip(1).toArray(String[]::new));
        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.errors().contains(expected), result.errors());
    }

    /** Reads lines until one has a text; the others are left. */
    private static String line(BufferedReader reader, String text) throws IOException {
        StringBuilder read = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.contains(text)) {
                return line;
            }
            read.append(line).append('\n');
        }
        throw new AssertionError("not in the output: " + text + "\n" + read);
    }

    // ---- what runs ----

    /** Asks again if a node has no time for an answer on a busy machine: the command waits two seconds for it. */
    private static Map<String, Object> status() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        Result result = teff("status", "--json");
        while (result.exitCode() == 1 || isSilent(result)) {
            String said = result.output() + result.errors();
            assertTrue(System.nanoTime() - end < 0, said);
            result = teff("status", "--json");
        }
        assertTrue(result.exitCode() != 2, result.errors());   // zones may lack backups now
        return JSON.std.mapFrom(result.output());
    }

    /** Returns whether a node runs and has not answered. */
    private static boolean isSilent(Result result) throws IOException {
        return ((List<?>) JSON.std.mapFrom(result.output()).get("nodes")).stream().map(node -> (Map<?, ?>) node)
            .anyMatch(node -> "up".equals(node.get("state")) && node.get("upMs") == null);
    }

    /** Waits until exactly one superpeer leads; none or another one may do so for moments on a busy machine. */
    private static Map<String, Object> awaitLeader() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        Map<String, Object> status = status();
        while (leaders(status).size() != 1) {
            assertTrue(System.nanoTime() - end < 0, "not one superpeer leads: " + status);
            status = status();
        }
        return status;
    }

    private static Map<?, ?> node(Map<String, Object> status, String name) {
        return ((List<?>) status.get("nodes")).stream().map(node -> (Map<?, ?>) node)
            .filter(node -> node.get("name").equals(name)).findFirst().orElseThrow();
    }

    private static List<String> leaders(Map<String, Object> status) {
        return SUPERPEERS.stream().filter(name -> Boolean.TRUE.equals(node(status, name).get("leading"))).toList();
    }

    /** The processes whose command lines name a folder. */
    private static List<String> processes(Path cluster) {
        String name = cluster.toString();
        return ProcessHandle.allProcesses().filter(process -> process.isAlive()
                && process.info().commandLine().filter(line -> line.contains(name)).isPresent())
            .map(process -> process.pid() + " " + process.info().commandLine().orElse("")).toList();
    }

    private static int freePorts() {
        int first;
        do {
            first = 20_000 + ThreadLocalRandom.current().nextInt(90) * PORTS;
        } while (!busyPorts(first).isEmpty());
        return first;
    }

    private static List<Integer> busyPorts(int first) {
        List<Integer> busy = new ArrayList<>();
        for (int offset : TCP) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress("127.0.0.1", first + offset));
            } catch (IOException _) {
                busy.add(first + offset);
            }
        }
        for (int i = 0; i < UDP_COUNT; i++) {
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(new InetSocketAddress("127.0.0.1", first + UDP_FROM + i));
            } catch (IOException _) {
                busy.add(first + UDP_FROM + i);
            }
        }
        return busy;
    }

    private static String supervisorLog() {
        try {
            return Files.readString(home.resolve("supervisor.log"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(BooleanSupplier condition, String what) {
        Threads.await(PATIENCE_S, () -> what, condition);
    }

    private static void awaitLog(String text) {
        await(() -> supervisorLog().contains(text), "in the supervisor's log: " + text);
    }

    /** Checks that all superpeers are up, and that one leads. */
    private static void checkSuperpeers() throws Exception {
        Map<String, Object> status = awaitLeader();
        for (String name : SUPERPEERS) {
            assertEquals("up", node(status, name).get("state"), status::toString);
        }
    }

    private static void killSupervisor() throws Exception {
        long pid = Long.parseLong(Files.readString(home.resolve("supervisor.run")).split(" ")[0]);
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        process.destroyForcibly();
        process.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** Checks the beans of a peer that has restored zones. */
    @SuppressWarnings("BanJNDI")                                // the address is that of a process of this test
    private static void checkBeans(int pid) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
        try (JMXConnector connector = JMXConnectorFactory.connect(
            new JMXServiceURL(machine.startLocalManagementAgent()))) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            ObjectName node = new ObjectName("io.teff.cluster:type=Node,name=peer-2");
            ObjectName peer = new ObjectName("io.teff.cluster:type=Peer,name=peer-2");
            assertEquals("peer", server.getAttribute(node, "Role"));
            await(() -> Boolean.TRUE.equals(attribute(server, node, "HoldingLease")), "the lease of peer-2");
            assertTrue((long) server.getAttribute(node, "TableVersion") > 0);
            assertTrue((long) server.getAttribute(node, "LogBytes") > 0);
            await(() -> ((CompositeData[]) attribute(server, peer, "Recoveries")).length > 0, "a recovery at peer-2");
            CompositeData first = ((CompositeData[]) attribute(server, peer, "Recoveries"))[0];
            assertTrue((double) first.get("servedMs") > 0, first::toString);
            assertTrue((int) first.get("epoch") > 1, first::toString);
            await(() -> (int) attribute(server, node, "Zones")
                == ((CompositeData[]) attribute(server, peer, "Zones")).length, "no more zones are restored");
        } finally {
            machine.detach();
        }
    }

    private static Object attribute(MBeanServerConnection server, ObjectName bean, String name) {
        try {
            return server.getAttribute(bean, name);
        } catch (JMException | IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- the tests ----

    @Test
    void aPeer_thatIsKilled_isReported_andComesBackAsAnotherLife() throws Exception {
        Map<String, Object> whole = status();
        assertEquals(true, whole.get("answering"));
        Object nid = node(whole, "peer-1").get("nid");
        int life = (int) node(whole, "peer-1").get("incarnation");
        assertTrue((long) (int) node(whole, "superpeer-1").get("logBytes") > 0, whole::toString);

        succeed("kill", "peer-1");
        awaitLog("the end of peer-1, node " + nid + "/" + life + ": Done");
        Map<String, Object> hurt = status();
        assertEquals("down", node(hurt, "peer-1").get("state"), hurt::toString);
        boolean isTakenOver = supervisorLog().contains("takes over peer-1");   // then it is no child
        assertEquals(isTakenOver ? UNKNOWN : KILLED, node(hurt, "peer-1").get("exitCode"), hurt::toString);
        checkBeans((int) node(hurt, "peer-2").get("pid"));
        fail("peer-1 does not run\n  start it: teff cluster start peer-1 --dir " + home, "kill", "peer-1");

        succeed("start", "peer-1");
        Map<String, Object> mended = status();
        assertEquals("up", node(mended, "peer-1").get("state"), mended::toString);
        assertEquals(nid, node(mended, "peer-1").get("nid"), "the NID belongs to the folder");
        assertTrue((int) node(mended, "peer-1").get("incarnation") > life, mended::toString);
        fail("peer-1 runs already", "start", "peer-1");
    }

    @Test
    void theLeadingSuperpeer_thatIsKilled_isReplaced_andFollowsWhenItComesBack() throws Exception {
        String leader = leaders(awaitLeader()).getFirst();
        succeed("kill", leader);
        List<String> next = List.of();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (next.isEmpty()) {
            assertTrue(System.nanoTime() - end < 0, "no superpeer leads");
            Map<String, Object> hurt = status();
            assertEquals("down", node(hurt, leader).get("state"), hurt::toString);
            next = leaders(hurt);
        }
        assertFalse(next.contains(leader), next::toString);
        succeed("start", leader);
        checkSuperpeers();
    }

    @Test
    void superpeers_thatHaveAllEnded_areStartedOneByOne() throws Exception {
        for (String name : SUPERPEERS) {
            succeed("kill", name);
        }
        fail("start superpeer-2: teff cluster start superpeer-2", "up");
        Result first = teff("start", SUPERPEERS.getLast());
        assertEquals(0, first.exitCode(), first.errors());
        assertTrue(first.output().contains("started superpeer-3, which waits for 1 more of the 3 superpeers\n"
            + "  start another: teff cluster start superpeer-1"), first.output());
        succeed("start", "superpeer-1");
        succeed("start", "superpeer-2");
        checkSuperpeers();
    }

    @Test
    void cluster_withAPeerWhoseDataIsDamaged_startsWithoutIt() throws Exception {
        succeed("down");
        Path data = home.resolve("peer-2/data");
        try (Stream<Path> files = Files.list(data.resolve("backups"))) {
            for (Path file : files.filter(next -> next.getFileName().toString().startsWith("manifest-")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2]++;
                Files.write(file, bytes);
            }
        }
        fail("peer-2 has ended before it was ready:", "up");
        Map<String, Object> status = status();
        assertEquals("down", node(status, "peer-2").get("state"), status::toString);
        assertEquals("up", node(status, "peer-1").get("state"), status::toString);
        Files.move(data, data.resolveSibling("data.damaged"));
        succeed("start", "peer-2");
        assertEquals("up", node(status(), "peer-2").get("state"));
    }

    @Test
    void commands_thatCannotBeDone_sayWhy() throws Exception {
        fail("there is no node nobody; the nodes are superpeer-1, superpeer-2, superpeer-3, peer-1, peer-2", "kill",
            "nobody");
        fail("there is no node nobody; the nodes are", "logs", "nobody");
        fail("is running: its supervisor is process", "up");
    }

    @Test
    void logs_areTheLastLines_andTheFollowingOnesUntilTheCommandEnds() throws Exception {
        Result logs = teff("logs", "peer-2", "--lines", "1000");
        assertTrue(logs.output().contains("ready: peer-2, peer with NID "), logs.output());
        assertEquals(1, teff("logs", "supervisor", "--lines", "1").output().lines()
            .filter(line -> !line.startsWith("[JVM]")).count());
        Process follow = begin(home, "logs", "peer-2", "--lines", "1", "--follow");
        try (BufferedReader reader = follow.inputReader(StandardCharsets.UTF_8)) {
            line(reader, "Z ");
            Path log = home.resolve("peer-2/node.log");
            Files.writeString(log, "a line of the test\n", StandardOpenOption.APPEND);
            assertEquals("a line of the test", line(reader, "of the test"));
        } finally {
            follow.destroyForcibly().waitFor();
        }
    }

    @Test
    void statusThatIsWatched_withoutATerminal_isPrintedAgainAndAgain() throws Exception {
        for (String[] form : new String[][] {{"--watch"}, {"--watch", "--json"}}) {
            Process watch = begin(home, "status", form);
            try (BufferedReader reader = watch.inputReader(StandardCharsets.UTF_8)) {
                for (int frame = 0; frame < 3; frame++) {
                    String found = line(reader, "superpeer-3");
                    assertFalse(found.contains("\033"), "no control characters");
                    assertTrue(form.length == 1 || JSON.std.mapFrom(found).containsKey("nodes"), found);
                }
            } finally {
                watch.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void nodes_whoseSupervisorWasKilled_goOn_andAreTakenOver() throws Exception {
        killSupervisor();
        Map<String, Object> status = status();
        assertEquals(null, status.get("supervisor"));
        assertEquals("up", node(status, "peer-1").get("state"), status::toString);
        succeed("kill", "peer-2");
        fail("has no supervisor that could start peer-2", "start", "peer-2");
        int logged = supervisorLog().length();
        up();
        await(() -> supervisorLog().indexOf("takes over peer-1", logged) > 0, "peer-1 is taken over");
        await(() -> supervisorLog().indexOf("the end of peer-2", logged) > 0, "the end of peer-2 is reported");
        succeed("start", "peer-2");
        assertEquals("up", node(status(), "peer-2").get("state"));
    }

    @Test
    void nodesWithoutAMajorityOfSuperpeers_areTakenOver_andUpSaysWhatIsDown() throws Exception {
        killSupervisor();
        succeed("kill", "superpeer-1");
        succeed("kill", "superpeer-2");
        Result up = teff("up");
        assertEquals(0, up.exitCode(), up.errors());
        assertTrue(up.output().contains("down      superpeer-1: ./teff cluster start superpeer-1"), up.output());
        assertTrue(up.output().contains("down      superpeer-2: ./teff cluster start superpeer-2"), up.output());
        assertEquals("up", node(status(), "peer-1").get("state"), "it was left alone");
        succeed("start", "superpeer-1");
        succeed("start", "superpeer-2");
        checkSuperpeers();
    }

    @Test
    void aClusterInTheForeground_endsWithItsGroup_andItsFolderSaysSo() throws Exception {
        Path other = folder.resolve("foreground");
        int otherPort = freePorts();
        Process process = begin(other, "up", "--foreground", "--peers", "1", "--superpeers", "1", "--port",
            String.valueOf(otherPort), "--memory", "64m");
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            line(reader, "ready after");
            // all at once, as Ctrl-C does; SIGINT itself is ignored by what a shell has started in the background
            List<String> group = new ArrayList<>(List.of("kill", String.valueOf(process.pid())));
            process.descendants().forEach(child -> group.add(String.valueOf(child.pid())));
            assertEquals(4, group.size(), "a superpeer and a peer: " + group);
            assertEquals(0, new ProcessBuilder(group).start().waitFor());
            assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS));
            assertEquals(ENDED, process.exitValue());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertEquals(List.of(), processes(other));
        assertEquals(List.of(), busyPorts(otherPort));
        for (String node : List.of("superpeer-1", "peer-1")) {
            assertFalse(Files.readString(other.resolve(node).resolve("node.process")).contains("runs"), node);
            assertFalse(Files.exists(other.resolve(node).resolve("data/node.run")), node);
        }
        for (int i = 0; i < 2; i++) {
            Result down = ChildProcess.java(folder, words(other, "down").toArray(String[]::new));
            assertEquals("nothing of the cluster was running", down.output().strip(), down.errors());
        }
        Result changed = ChildProcess.java(folder, words(other, "up", "--superpeers", "3").toArray(String[]::new));
        assertTrue(changed.errors().contains("was made with --superpeers 1"), changed.errors());
    }

    @Test
    void up_withAPortInUse_namesIt_andStartsNothing() throws Exception {
        int otherPort = freePorts();
        Path other = folder.resolve("busy");
        try (DatagramSocket _ = new DatagramSocket(new InetSocketAddress("127.0.0.1", otherPort + UDP_FROM + 2))) {
            Result result = ChildProcess.java(folder, words(other, "up", "--port", String.valueOf(otherPort))
                .toArray(String[]::new));
            assertEquals(1, result.exitCode(), result.output());
            assertTrue(result.errors().contains("UDP port 127.0.0.1:" + (otherPort + UDP_FROM + 2)
                + " cannot be used"), result.errors());
            assertTrue(result.errors().contains("--port PORT"), result.errors());
            assertFalse(Files.exists(other));
        }
    }
}
