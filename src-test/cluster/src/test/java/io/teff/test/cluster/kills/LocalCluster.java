package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.control.CellLink;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Platform;
import io.teff.test.cluster.nodes.TeffCommand;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.Form;
import io.teff.test.kit.Starts;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A cluster of processes on this machine, as {@code ./teff cluster up} makes it: one superpeer or three, peers, a
 * supervisor.
 */
final class LocalCluster extends TestedCluster {
    private static final int PEERS = 4;
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final int PEERS_FROM = 10;
    private static final int UP_ATTEMPTS = 3;
    /** In the short form nodes live for seconds, and the second compiler takes more time than it saves. */
    private static final Map<String, String> NODES = Form.isLong() ? Map.of()
        : Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");

    private final Path home;
    private final String classPath;
    private final Size size;
    private final ClusterFolder folder;
    private final CellLink link;
    /** Whether no supervisor reports the ends of nodes, so that this test starts the nodes. */
    private boolean isUnsupervised;

    /**
     * Size of a cluster.
     *
     * @param superpeers number of superpeers
     * @param peers number of peers, more than {@link #BACKUPS}
     * @param memory most memory for chunks of each peer
     * @param heapMb Java heap of each peer in MiB
     */
    record Size(int superpeers, int peers, String memory, int heapMb) {}

    /**
     * Starts a cluster of one superpeer and four peers.
     *
     * @param home its folder, which does not exist
     * @param patches folder of classes that all processes load first; null for none
     */
    LocalCluster(Path home, Path patches) throws IOException, InterruptedException {
        this(home, patches, 1, PEERS);
    }

    /**
     * Starts a cluster.
     *
     * @param home its folder, which does not exist
     * @param patches folder of classes that all processes load first; null for none
     * @param superpeers number of superpeers
     * @param peers number of peers, more than {@link #BACKUPS}
     */
    LocalCluster(Path home, Path patches, int superpeers, int peers) throws IOException, InterruptedException {
        this(home, new Size(superpeers, peers, "128m", 96), patches == null ? ChildProcess.classPath()
            : patches + File.pathSeparator + ChildProcess.classPath());
    }

    /**
     * Starts a cluster with a program.
     *
     * @param home its folder, which does not exist
     * @param size nodes and their memory
     * @param classPath class path of all processes
     */
    LocalCluster(Path home, Size size, String classPath) throws IOException, InterruptedException {
        super(home, size.peers());
        this.home = home;
        this.size = size;
        this.classPath = classPath;
        Starts.CLUSTER.count();
        up();
        folder = ClusterFolder.open(home);
        link = CellLink.open(folder.entrance().client(), Platform.SYSTEM);
    }

    /** Starts the processes; again if the machine was too busy for them, or another process has taken a port. */
    private void up() throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            Result result = teff("up", "--peers", String.valueOf(size.peers()), "--superpeers",
                String.valueOf(size.superpeers()), "--port", String.valueOf(freePorts(size.peers())), "--memory",
                size.memory(), "--heap-mb", String.valueOf(size.heapMb()), "--fresh");
            if (result.exitCode() == 0) {
                return;
            }
            if (attempt == UP_ATTEMPTS) {
                throw new AssertionError("./teff cluster up fails: " + result.output() + result.errors() + logs());
            }
        }
    }

    private static int freePorts(int peers) {
        int port;
        do {
            port = 20_000 + ThreadLocalRandom.current().nextInt(60) * 200;
        } while (!isFree(port, PEERS_FROM + peers));
        return port;
    }

    private static boolean isFree(int port, int count) {
        try {
            for (int at = 0; at < count; at++) {
                try (ServerSocket socket = new ServerSocket()) {
                    socket.setReuseAddress(true);
                    socket.bind(new InetSocketAddress("127.0.0.1", port + at));
                }
            }
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    // ---- commands ----

    private Result teff(String... words) throws IOException, InterruptedException {
        return teff(classPath, List.of(words));
    }

    private Result teff(String program, List<String> words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", program, MAIN, "cluster"));
        all.addAll(words);
        all.addAll(List.of("--dir", home.toString()));
        return ChildProcess.java(home.getParent(), NODES, all.toArray(String[]::new));
    }

    @Override
    ClusterStore connect() {
        return ClusterStore.connect(ClientConfig.builder(folder.entrance().superpeers().toArray(String[]::new))
            .timeoutNs(LIMIT_NS).build());
    }

    /** Returns the addresses of the superpeers. */
    List<String> entrance() {
        return folder.entrance().superpeers();
    }

    /** Returns the names of all nodes. */
    List<String> names() {
        return folder.nodes().stream().map(LocalNode::name).toList();
    }

    /** Returns the names of the peers. */
    List<String> peers() {
        return folder.nodes().stream().filter(node -> !node.isSuperpeer()).map(LocalNode::name).toList();
    }

    @Override
    CellLink link() {
        return link;
    }

    @Override
    List<String> superpeers() {
        return folder.nodes().stream().filter(LocalNode::isSuperpeer).map(LocalNode::name).toList();
    }

    /** Kills a node by SIGKILL. Returns its life. */
    NodeRef kill(String name) {
        LocalNode node = folder.node(name);
        ProcessId process = node.process();
        NodeLife last = node.life();
        if (process == null || last == null) {
            throw new AssertionError(name + " does not run: " + logs());
        }
        NodeRef life = new NodeRef(last.nid(), last.incarnation());
        ProcessHandle handle = process.handle().orElseThrow();
        handle.destroyForcibly();
        handle.onExit().join();
        return life;
    }

    /** Starts a peer that was killed, as {@code ./teff cluster start} does. On a busy machine it may be ready later. */
    void start(String name) throws IOException, InterruptedException {
        Result result = teff("start", name);
        if (result.exitCode() != 0 && !result.errors().contains("is not ready after")) {
            throw new AssertionError("./teff cluster start " + name + " fails: " + result.output() + result.errors()
                + logs());
        }
    }

    /**
     * Asks the supervisor to start nodes, all at once, and waits until they are ready: superpeers that have all ended
     * wait for each other.
     */
    void startTogether(List<String> names) throws IOException {
        for (String name : names) {
            awaitTrue("the end of " + name + " is noticed", () -> mayStart(name));
            requestStart(name);
        }
        for (String name : names) {
            awaitTrue(name + " is ready", () -> folder.node(name).state() == LocalNode.State.UP);
        }
    }

    /** Returns whether a node is ready. */
    boolean isUp(String name) {
        return folder.node(name).state() == LocalNode.State.UP;
    }

    /** Returns whether the end of a killed node was noticed, so that the node can start again. */
    boolean mayStart(String name) {
        return folder.node(name).process() == null;
    }

    /** Starts a node, or asks the supervisor to start the node, and does not wait for the node. */
    void requestStart(String name) throws IOException {
        if (isUnsupervised) {
            startHere(folder.node(name));
        } else {
            Files.writeString(home.resolve("requests/start-" + name), "");
        }
    }

    /** Kills the supervisor, for good: from now on the end of a node is known by its lease alone. */
    void killSupervisor() {
        ProcessHandle supervisor = Objects.requireNonNull(folder.supervisor()).handle().orElseThrow();
        supervisor.destroyForcibly();
        supervisor.onExit().join();
        isUnsupervised = true;
    }

    /** Starts a node as a service manager does, and writes down its process for the commands. */
    private void startHere(LocalNode node) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
            .toString(), "--enable-native-access=ALL-UNNAMED", "-Xmx96m", "-XX:+UseSerialGC", "-cp", classPath, MAIN,
            "node", "--config", node.folder().resolve("node.toml").toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(node.folder().resolve("node.out").toFile());
        builder.environment().putAll(NODES);
        ProcessId process = ProcessId.of(builder.start().toHandle());
        Files.writeString(node.folder().resolve("node.process"), "teff process 2\n" + process.pid() + " "
            + process.start() + " runs\n");
    }

    /** Stops the process of a node by SIGSTOP, lets a time pass, and lets it go on. */
    void stall(String name, long ms) throws IOException, InterruptedException {
        ProcessId process = folder.node(name).process();
        if (process == null) {
            throw new AssertionError(name + " does not run: " + logs());
        }
        signal("STOP", process);
        boolean isEnded = process.handle().orElseThrow().onExit().copy().completeOnTimeout(null, ms,
            TimeUnit.MILLISECONDS).join() != null;
        signal("CONT", process);
        if (isEnded) {
            throw new AssertionError(name + " has ended while it was stopped: " + logs());
        }
    }

    private static void signal(String signal, ProcessId process) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).inheritIO().start()
            .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + signal + ' ' + process + ": " + code);
        }
    }

    /** Kills all processes by SIGKILL, the supervisor, too, in any order, as fast as possible. */
    void killEverything(RandomGenerator random) {
        List<ProcessHandle> handles = new ArrayList<>(handles());
        ProcessId supervisor = folder.supervisor();
        if (supervisor != null) {
            handles.add(supervisor.handle().orElseThrow());
        }
        Collections.shuffle(handles, random);
        handles.forEach(ProcessHandle::destroyForcibly);
        handles.forEach(handle -> handle.onExit().join());
    }

    /** Returns the numbers of the processes of all nodes that run. */
    List<Long> processes() {
        return handles().stream().map(ProcessHandle::pid).toList();
    }

    private List<ProcessHandle> handles() {
        return folder.nodes().stream().map(LocalNode::process).filter(Objects::nonNull)
            .map(process -> process.handle().orElseThrow()).toList();
    }

    /** Returns the name of the peer that runs in a process. */
    String peerOf(long process) {
        return folder.nodes().stream().filter(node -> !node.isSuperpeer() && node.process() != null
            && node.process().pid() == process).map(LocalNode::name).findFirst().orElseThrow();
    }

    /** Ends all processes, as {@code ./teff cluster down} does. */
    void down() throws IOException, InterruptedException {
        succeed("down");
    }

    /** Starts the cluster again. On a busy machine zones may still wait for nodes. Returns what was said. */
    String upAgain() throws IOException, InterruptedException {
        Result result = teff("up");
        return said(result, result.exitCode() == LostBackups.MISSING ? LostBackups.MISSING : 0, "up");
    }

    /** Runs a command that starts no process in this JVM; it must end with an exit code. Returns what it has said. */
    String runHere(int exitCode, String... words) {
        List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(words));
        all.addAll(List.of("--dir", home.toString()));
        return said(TeffCommand.here(all.toArray(String[]::new)), exitCode, words);
    }

    /** Runs a command that must succeed. Returns what it has said. */
    String succeed(String... words) throws IOException, InterruptedException {
        Result result = teff(words);
        if (result.exitCode() != 0) {
            throw new AssertionError("./teff cluster " + List.of(words) + " fails: " + result.output() + result.errors()
                + logs());
        }
        return result.output() + result.errors();
    }

    /** Runs a command of a program that must end with an exit code. Returns what it has said. */
    String runOf(String program, int exitCode, String... words) throws IOException, InterruptedException {
        return said(teff(program, List.of(words)), exitCode, words);
    }

    /** Runs a command that must end with an exit code. Returns what it has said. */
    String run(int exitCode, String... words) throws IOException, InterruptedException {
        return said(teff(words), exitCode, words);
    }

    private static String said(Result result, int exitCode, String... words) {
        assertEquals(exitCode, result.exitCode(), () -> "./teff cluster " + List.of(words) + ": " + result.output()
            + result.errors());
        return result.output() + result.errors();
    }

    /** Deletes the data of a node that does not run: its disk is lost. */
    void loseDisk(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.node(name).config().folder())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Adds a line to the table of superpeers in a node's configuration, for its next start. */
    void configure(String superpeer, String line) throws IOException {
        Path file = folder.node(superpeer).config().folder().resolveSibling("node.toml");
        String text = Files.readString(file);
        String table = "[superpeer]\n";
        if (!text.contains(table)) {
            throw new AssertionError(file + " has no table of superpeers: " + text);
        }
        Files.writeString(file, text.replace(table, table + line + "\n"));
    }

    /** Returns the folder of a node's data. */
    Path data(String name) {
        return folder.node(name).config().folder();
    }

    /** Returns the folder of a superpeer's log. */
    Path cell(String superpeer) {
        return data(superpeer).resolve("cell");
    }

    /** Returns the log of a node. */
    String log(String name) throws IOException {
        return Files.readString(folder.node(name).config().log());
    }

    /** Returns the NID of a peer that runs. */
    int nid(String name) {
        NodeLife life = folder.node(name).life();
        if (life == null) {
            throw new AssertionError(name + " does not run: " + logs());
        }
        return life.nid();
    }

    @Override
    public void close() throws IOException {
        link.close();
        try {
            Result result = teff("down");
            if (result.exitCode() != 0) {
                throw new IOException("./teff cluster down fails: " + result.output() + result.errors());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the cluster may not have ended", e);
        }
    }
}
