package io.teff.test.cluster.nodes;

import static io.teff.test.cluster.nodes.CommandedCluster.PATIENCE_S;
import static io.teff.test.cluster.nodes.CommandedCluster.SUPERPEERS;
import static io.teff.test.cluster.nodes.CommandedCluster.await;
import static io.teff.test.cluster.nodes.CommandedCluster.leaders;
import static io.teff.test.cluster.nodes.CommandedCluster.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import com.sun.tools.attach.VirtualMachine;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the commands of {@code ./teff cluster} start, show, kill, start again and end the nodes of a cluster on this
 * machine, and leave nothing running or listening, also if the supervisor was killed.
 *
 * <p>Method: the real command line, in a child JVM where a command starts or ends a cluster, else in the JVM of the
 * test. All tests but two use one cluster of three superpeers and two peers;
 * each leaves it as it was, but for incarnations and leaders.
 */
@Tag("processes")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ClusterCommandTest {
    private static final int KILLED = 137;
    private static final int UNKNOWN = -1;
    private static final int UP_ATTEMPTS = 3;

    @TempDir
    private static Path folder;
    private static CommandedCluster cluster;

    @BeforeAll
    static void startCluster() throws Exception {
        for (int attempt = 1; ; attempt++) {                   // the machine may be too busy, or a port taken meanwhile
            cluster = new CommandedCluster(folder.resolve("cluster-" + attempt), LocalPorts.free());
            try {
                cluster.up("--peers", "2");                    // and three superpeers, as it is by default
                return;
            } catch (AssertionError e) {
                if (attempt == UP_ATTEMPTS) {
                    throw e;
                }
                System.out.println("again: " + e);
                cluster.child("down");                         // if anything runs
            }
        }
    }

    @AfterAll
    static void endCluster() throws Exception {
        cluster.down();
        assertEquals(List.of(), cluster.processes(), "nothing is left running");
        assertEquals(List.of(), LocalPorts.busy(cluster.port()), "nothing is left listening");
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
        Map<String, Object> whole = cluster.status();
        assertEquals(true, whole.get("answering"));
        Object nid = node(whole, "peer-1").get("nid");
        int life = (int) node(whole, "peer-1").get("incarnation");
        assertTrue((long) (int) node(whole, "superpeer-1").get("logBytes") > 0, whole::toString);

        cluster.succeed("kill", "peer-1");
        cluster.awaitLog("the end of peer-1, node " + nid + "/" + life + ": known to the superpeers");
        Map<String, Object> hurt = cluster.status();
        assertEquals("down", node(hurt, "peer-1").get("state"), hurt::toString);
        boolean isTakenOver = cluster.supervisorLog().contains("takes over peer-1");   // then it is no child
        assertEquals(isTakenOver ? UNKNOWN : KILLED, node(hurt, "peer-1").get("exitCode"), hurt::toString);
        checkBeans((int) node(hurt, "peer-2").get("pid"));
        cluster.fail("peer-1 does not run\n  start it: ./teff cluster start peer-1 --dir " + cluster.home(), "kill",
            "peer-1");

        cluster.succeed("start", "peer-1");
        Map<String, Object> mended = cluster.status();
        assertEquals("up", node(mended, "peer-1").get("state"), mended::toString);
        assertEquals(nid, node(mended, "peer-1").get("nid"), "the NID belongs to the folder");
        assertTrue((int) node(mended, "peer-1").get("incarnation") > life, mended::toString);
        cluster.fail("peer-1 runs already", "start", "peer-1");
    }

    @Test
    @FullTier("a start of a superpeer, and FaultTourTest kills the leader")
    void theLeadingSuperpeer_thatIsKilled_isReplaced_andFollowsWhenItComesBack() throws Exception {
        String leader = leaders(cluster.awaitLeader()).getFirst();
        cluster.succeed("kill", leader);
        List<String> next = List.of();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (next.isEmpty()) {
            assertTrue(System.nanoTime() - end < 0, "no superpeer leads");
            Map<String, Object> hurt = cluster.status();
            assertEquals("down", node(hurt, leader).get("state"), hurt::toString);
            next = leaders(hurt);
        }
        assertFalse(next.contains(leader), next::toString);
        cluster.succeed("start", leader);
        cluster.checkSuperpeers();
    }

    @Test
    @FullTier("three starts of superpeers, and FaultTourTest ends all of them, and starts them together")
    void superpeers_thatHaveAllEnded_areStartedOneByOne() throws Exception {
        for (String name : SUPERPEERS) {
            cluster.succeed("kill", name);
        }
        cluster.fail("start superpeer-2: ./teff cluster start superpeer-2", "up");
        Result first = cluster.teff("start", SUPERPEERS.getLast());
        assertEquals(0, first.exitCode(), first.errors());
        assertTrue(first.output().contains("started superpeer-3, which waits for 1 more of the 3 superpeers\n"
            + "  start another: ./teff cluster start superpeer-1"), first.output());
        cluster.succeed("start", "superpeer-1");
        cluster.succeed("start", "superpeer-2");
        cluster.checkSuperpeers();
    }

    @Test
    @FullTier("an end and a start of the whole cluster, and DamagedCopyTest has damaged copies in one process")
    void cluster_withAPeerWhoseDataIsDamaged_startsWithoutIt() throws Exception {
        cluster.down();
        Path data = cluster.home().resolve("peer-2/data");
        try (Stream<Path> files = Files.list(data.resolve("backups"))) {
            for (Path file : files.filter(next -> next.getFileName().toString().startsWith("manifest-")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2]++;
                Files.write(file, bytes);
            }
        }
        CommandedCluster.checkFailure("peer-2 has ended before it was ready:", cluster.child("up"));
        Map<String, Object> status = cluster.status();
        assertEquals("down", node(status, "peer-2").get("state"), status::toString);
        assertEquals("up", node(status, "peer-1").get("state"), status::toString);
        Files.move(data, data.resolveSibling("data.damaged"));
        cluster.succeed("start", "peer-2");
        assertEquals("up", node(cluster.status(), "peer-2").get("state"));
    }

    /** Signals to the group or to the terminal of {@code up} reach no process of the cluster. */
    @Test
    void processes_haveASessionOfTheirOwn_withoutATerminal() throws Exception {
        Path own = Path.of("/proc/self/stat");
        assumeTrue(Files.exists(own));
        Map<String, Object> status = cluster.status();
        List<Object> pids = new ArrayList<>(List.of(status.get("supervisor")));
        ((List<?>) status.get("nodes")).forEach(node -> pids.add(((Map<?, ?>) node).get("pid")));
        for (Object pid : pids) {
            List<String> found = session(Path.of("/proc/" + pid + "/stat"));
            assertFalse(found.get(0).equals(session(own).get(0)), "process group of " + pid);
            assertFalse(found.get(1).equals(session(own).get(1)), "session of " + pid);
            assertEquals("0", found.get(2), "terminal of " + pid);
        }
    }

    /** Returns process group, session and terminal, which stand behind name, state and parent. */
    private static List<String> session(Path stat) throws IOException {
        String text = Files.readString(stat);
        return List.of(text.substring(text.lastIndexOf(')') + 2).split(" ")).subList(2, 5);
    }

    @Test
    void commands_thatCannotBeDone_sayWhy() throws Exception {
        cluster.fail("there is no node nobody; the nodes are superpeer-1, superpeer-2, superpeer-3, peer-1, peer-2",
            "kill", "nobody");
        cluster.fail("there is no node nobody; the nodes are", "logs", "nobody");
        cluster.fail("is running: its supervisor is process", "up");
    }

    @Test
    void logs_areTheLastLines_andTheFollowingOnesUntilTheCommandEnds() throws Exception {
        Result logs = cluster.teff("logs", "peer-2", "--lines", "1000");
        assertTrue(logs.output().contains("ready: peer-2, peer with NID "), logs.output());
        assertEquals(1, cluster.teff("logs", "supervisor", "--lines", "1").output().lines()
            .filter(line -> !line.startsWith("[JVM]")).count());
        List<String> merged = cluster.teff("logs", "--lines", "1000").output().lines().toList();
        assertTrue(List.of("supervisor ", "superpeer-1 ", "peer-2 ").stream()
            .allMatch(name -> merged.stream().anyMatch(line -> line.contains("Z " + name))), merged::toString);
        List<String> times = merged.stream().map(line -> line.split(" ", 2)[0]).toList();
        assertEquals(times.stream().sorted().toList(), times);
        try (TeffCommand.Running follow = cluster.follow("logs", "peer-2", "--lines", "1", "--follow")) {
            follow.line("Z ");
            Path log = cluster.home().resolve("peer-2/node.log");
            Files.writeString(log, "a line of the test\n", StandardOpenOption.APPEND);
            assertEquals("a line of the test", follow.line("of the test"));
        }
    }

    @Test
    void statusThatIsWatched_withoutATerminal_isPrintedAgainAndAgain() throws Exception {
        for (String[] form : new String[][] {{"status", "--watch"}, {"status", "--watch", "--json"}}) {
            try (TeffCommand.Running watch = cluster.follow(form)) {
                for (int frame = 0; frame < 3; frame++) {
                    String found = watch.line("superpeer-3");
                    assertFalse(found.contains("\033"), "no control characters");
                    assertTrue(form.length == 2 || JSON.std.mapFrom(found).containsKey("nodes"), found);
                }
            }
        }
    }

    @Test
    void nodes_whoseSupervisorWasKilled_goOn_andAreTakenOver() throws Exception {
        cluster.killSupervisor();
        Map<String, Object> status = cluster.status();
        assertEquals(null, status.get("supervisor"));
        assertEquals("up", node(status, "peer-1").get("state"), status::toString);
        cluster.succeed("kill", "peer-2");
        cluster.fail("has no supervisor that could start peer-2", "start", "peer-2");
        int logged = cluster.supervisorLog().length();
        cluster.takeOver();
        await(() -> cluster.supervisorLog().indexOf("takes over peer-1", logged) > 0, "peer-1 is taken over");
        await(() -> cluster.supervisorLog().indexOf("the end of peer-2", logged) > 0, "the end of peer-2 is reported");
        cluster.succeed("start", "peer-2");
        assertEquals("up", node(cluster.status(), "peer-2").get("state"));
    }

    @Test
    @FullTier("a supervisor and two superpeers are started, and nodes_whoseSupervisorWasKilled has the take-over")
    void nodesWithoutAMajorityOfSuperpeers_areTakenOver_andUpSaysWhatIsDown() throws Exception {
        cluster.killSupervisor();
        cluster.succeed("kill", "superpeer-1");
        cluster.succeed("kill", "superpeer-2");
        Result up = cluster.takeOver();
        assertTrue(up.output().contains("down      superpeer-1: ./teff cluster start superpeer-1"), up.output());
        assertTrue(up.output().contains("down      superpeer-2: ./teff cluster start superpeer-2"), up.output());
        assertEquals("up", node(cluster.status(), "peer-1").get("state"), "it was left alone");
        cluster.succeed("start", "superpeer-1");
        cluster.succeed("start", "superpeer-2");
        cluster.checkSuperpeers();
    }

    @Test
    void aClusterInTheForeground_endsWithItsGroup_andItsFolderSaysSo() throws Exception {
        CommandedCluster other = new CommandedCluster(folder.resolve("foreground"), LocalPorts.free());
        Process process = other.begin("up", "--foreground", "--peers", "1", "--superpeers", "1", "--port",
            String.valueOf(other.port()), "--memory", "64m");
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            TeffCommand.line(reader, "ready after");
            // all at once, as Ctrl-C does; SIGINT itself is ignored by what a shell has started in the background
            List<String> group = new ArrayList<>(List.of("kill", String.valueOf(process.pid())));
            process.descendants().forEach(child -> group.add(String.valueOf(child.pid())));
            assertEquals(4, group.size(), "a superpeer and a peer: " + group);
            assertEquals(0, new ProcessBuilder(group).start().waitFor());
            assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertEquals(List.of(), other.processes());
        assertEquals(List.of(), LocalPorts.busy(other.port()));
        for (String node : List.of("superpeer-1", "peer-1")) {
            assertFalse(Files.readString(other.home().resolve(node).resolve("node.process")).contains("runs"), node);
            assertFalse(Files.exists(other.home().resolve(node).resolve("data/node.run")), node);
        }
        for (int i = 0; i < 2; i++) {
            Result down = other.teff("down");
            assertEquals("nothing of the cluster was running", down.output().strip(), down.errors());
        }
        Result changed = other.teff("up", "--superpeers", "3");
        assertTrue(changed.errors().contains("was made with --superpeers 1"), changed.errors());
    }

    @Test
    void up_withAPortInUse_namesIt_andStartsNothing() throws Exception {
        CommandedCluster other = new CommandedCluster(folder.resolve("busy"), LocalPorts.free());
        int busy = other.port() + 2;
        try (ServerSocket _ = new ServerSocket(busy, 1, InetAddress.getByName("127.0.0.1"))) {
            Result result = other.teff("up", "--port", String.valueOf(other.port()));
            assertEquals(1, result.exitCode(), result.output());
            assertTrue(result.errors().contains("TCP port 127.0.0.1:" + busy + " cannot be used"), result.errors());
            assertTrue(result.errors().contains("use other ports: --port "), result.errors());
            assertFalse(Files.exists(other.home()));
        }
    }
}
