package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.cli.Terminal;
import io.teff.cluster.terminal.local.LocalNode.Started;
import io.teff.cluster.terminal.local.LocalNode.State;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.cluster.terminal.node.RunFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a cluster whose processes were all killed, after the machine has given their numbers to others. */
final class StaleFolderTest {
    private static final int PORT = 1_100;
    private static final ProcessId OTHER = new ProcessId(ProcessId.current().pid(), "0-1");

    @TempDir
    private Path folder;
    private final StringWriter output = new StringWriter();
    private ClusterFolder cluster;

    @BeforeEach
    void makeFolder() throws Exception {
        Path home = folder.resolve("cluster");
        cluster = ClusterFolder.create(home, ClusterPlan.of(1, 2, PORT));
        for (LocalNode node : cluster.nodes()) {
            node.note(new Started(OTHER, null));
            Files.createDirectories(node.config().folder());
            new RunFile(OTHER, new NodeLife(16, 3)).write(node.config().folder());
        }
        Files.writeString(home.resolve("supervisor.run"), OTHER.pid() + " " + OTHER.start() + "\n");
    }

    private int run(String command, String... more) {
        output.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of("cluster", command));
        words.addAll(List.of(more));
        if (!words.contains("--dir")) {
            words.addAll(List.of("--dir", cluster.path().toString()));
        }
        PrintWriter writer = new PrintWriter(output, true);
        return Terminal.commandLine().setOut(writer).setErr(writer).execute(words.toArray(String[]::new));
    }

    private void assertSaid(String text) {
        assertTrue(output.toString().contains(text), output::toString);
    }

    @Test
    void processes_withNumbersThatOthersHaveNow_doNotRun() throws Exception {
        assertNull(cluster.supervisor());
        assertNull(LocalCluster.running(cluster.path()));
        for (LocalNode node : cluster.nodes()) {
            assertEquals(State.DOWN, node.state());
            node.note(new Started(ProcessId.current(), null));
            assertEquals(State.STARTING, node.state(), "the life is that of the other process");
            new RunFile(ProcessId.current(), new NodeLife(16, 4)).write(node.config().folder());
            assertEquals(State.UP, node.state());
            node.note(new Started(OTHER, null));
        }
    }

    @Test
    void status_showsTheNodesAsDown_andThatNobodyAnswers() {
        assertEquals(1, run("status"));
        assertSaid("no supervisor runs");
        assertSaid("the cluster is down, none of its processes runs; to start it: ./teff cluster up --dir "
            + cluster.path());
        assertSaid("peer-2       down");
        assertEquals(1, run("status", "--json"));
        assertSaid("\"answering\" : false");
    }

    /** All commands work without the folder of a node; the node gets its configuration back before its start. */
    @Test
    void folderOfANode_thatIsGone_hindersNoCommand() throws Exception {
        Path gone = cluster.path().resolve("peer-1");
        String before = Files.readString(gone.resolve("node.toml"));
        try (Stream<Path> files = Files.walk(gone)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        assertEquals(1, run("status"));
        assertSaid("peer-1       new");
        assertEquals(0, run("down"));
        assertEquals(1, run("start", "peer-1"));
        assertSaid("has no supervisor that could start peer-1");
        assertFalse(Files.exists(gone));
        ClusterFolder opened = ClusterFolder.open(cluster.path());
        opened.requestStart(opened.node("peer-1"));
        assertEquals(before, Files.readString(gone.resolve("node.toml")));
        assertEquals(List.of("peer-1"), opened.takeStarts().stream().map(LocalNode::name).toList());
    }

    @Test
    void down_kill_andStart_touchNoOtherProcess() {
        assertEquals(0, run("down"));
        assertSaid("nothing of the cluster was running");
        assertEquals(1, run("kill", "peer-1"));
        assertSaid("peer-1 does not run");
        assertEquals(1, run("start", "peer-1"));
        assertSaid("has no supervisor that could start peer-1");
        assertEquals(1, run("accept-loss", "5"));
        assertSaid("no superpeer answers");
        assertEquals(1, run("up", "--peers", "3"));
        assertSaid("was made with --peers 2\n  start it as it is:       leave out --peers\n");
        assertTrue(ProcessId.current().isAlive());
    }

    @Test
    void up_withAPortInUse_namesThePort_andFreePorts() throws Exception {
        try (ServerSocket taken = listening()) {
            assertEquals(1, run("up", "--dir", folder.resolve("other").toString(), "--port",
                String.valueOf(taken.getLocalPort())));
            assertSaid("port 127.0.0.1:" + taken.getLocalPort() + " cannot be used");
            Matcher free = Pattern.compile("use other ports: --port ([0-9]+); a cluster").matcher(output.toString());
            assertTrue(free.find(), output::toString);
            assertTrue(Integer.parseInt(free.group(1)) >= taken.getLocalPort() + ClusterPlan.PORTS, output::toString);
            assertFalse(Files.exists(folder.resolve("other")));
        }
    }

    /** Another one would not be that of the nodes' configurations. */
    @Test
    void up_ofAnEndedCluster_withAPortInUse_proposesNoOtherPort() throws Exception {
        try (ServerSocket taken = listening()) {
            cluster.delete();
            cluster = ClusterFolder.create(folder.resolve("cluster"), ClusterPlan.of(1, 2, taken.getLocalPort()));
            assertEquals(1, run("up"));
            assertSaid("the cluster of this folder has these ports for ever: end what uses them");
            assertFalse(output.toString().contains("--port"), output::toString);
        }
    }

    /** Returns a socket at a port from which on a cluster has room for its ports twice. */
    private static ServerSocket listening() throws IOException {
        for (int port = 25_000; ; port++) {
            try {
                return new ServerSocket(port, 1, InetAddress.getByName(ClusterPlan.HOST));
            } catch (BindException e) {
                assertTrue(port < 30_000, e::toString);
            }
        }
    }

    @Test
    void up_afresh_inTheFolderOfADamagedCluster_saysWhatIsWrong() throws Exception {
        Files.writeString(cluster.path().resolve("cluster.txt"), "teff cluster 9\n");
        assertEquals(1, run("up", "--fresh"));
        assertSaid("cluster.txt was not written by this version of Teff, or is damaged");
    }
}
