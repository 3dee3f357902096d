package io.teff.test.bench.process;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.control.CellLink;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A cluster of processes on this machine, as {@code ./teff cluster up} makes it. For one thread. */
public final class BenchCluster implements AutoCloseable {
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(30);
    /** Heap of a node as {@code ./teff cluster up} chooses it, in MiB. */
    private static final int HEAP_MIB = 192;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path home;
    private final int peers;
    private final int backups;
    private final ClusterFolder folder;
    private final CellLink link;

    /**
     * Starts a cluster.
     *
     * @param home its folder, which is missing or empty
     * @param superpeers number of superpeers
     * @param peers number of peers
     * @param backups backups of each zone
     * @param memory most memory for chunks of each peer
     * @param port the first port
     */
    public BenchCluster(Path home, int superpeers, int peers, int backups, String memory, int port)
            throws IOException, InterruptedException {
        this(home, superpeers, peers, backups, memory, port, HEAP_MIB);
    }

    /**
     * Starts a cluster whose nodes have a Java heap of some size.
     *
     * @param home its folder, which is missing or empty
     * @param superpeers number of superpeers
     * @param peers number of peers
     * @param backups backups of each zone
     * @param memory most memory for chunks of each peer
     * @param port the first port
     * @param heapMiB most heap of each node, in MiB
     */
    public BenchCluster(Path home, int superpeers, int peers, int backups, String memory, int port, int heapMiB)
            throws IOException, InterruptedException {
        this.home = home;
        this.peers = peers;
        this.backups = backups;
        teff("up", "--backups", "" + backups, "--peers", "" + peers, "--superpeers", "" + superpeers, "--memory",
            memory, "--port", "" + port, "--heap-mb", "" + heapMiB);
        boolean isOpen = false;
        try {
            folder = ClusterFolder.open(home);
            link = CellLink.open(folder.entrance().client(), Platform.SYSTEM);
            isOpen = true;
        } finally {
            if (!isOpen) {
                teff("down");
            }
        }
    }

    private void teff(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
            .toString(), "--enable-native-access=ALL-UNNAMED", "-Xmx64m", "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), MAIN, "cluster"));
        command.addAll(List.of(words));
        command.addAll(List.of("--dir", home.toString()));
        Path output = Files.createTempFile("teff-bench", ".out");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile())
                .start();
            if (process.waitFor() != 0) {
                throw new IOException("./teff cluster " + String.join(" ", words) + ": " + Files.readString(output));
            }
        } finally {
            Files.delete(output);
        }
    }

    /** {@return a client of the cluster} */
    public ClusterStore connect() {
        return ClusterStore.connect(folder.entrance().client());
    }

    /** {@return the link to the superpeers} */
    public CellLink link() {
        return link;
    }

    /** {@return the folder} */
    public Path home() {
        return home;
    }

    // ---- processes ----

    /** {@return the numbers of all processes by the names of their nodes; the supervisor's, too} */
    public Map<String, Long> processes() {
        Map<String, Long> all = folder.nodes().stream().filter(node -> node.process() != null)
            .collect(Collectors.toMap(LocalNode::name, node -> pid(node.process()), (a, b) -> a,
                TreeMap::new));
        ProcessId supervisor = folder.supervisor();
        if (supervisor != null) {
            all.put("supervisor", supervisor.pid());
        }
        return all;
    }

    private static long pid(ProcessId process) {
        return process == null ? 0 : process.pid();
    }

    /** {@return the peers} */
    public List<LocalNode> peers() {
        return folder.nodes().stream().filter(node -> !node.isSuperpeer()).toList();
    }

    /**
     * Stops the supervisor, so that it reports no deaths, or lets it continue.
     *
     * @param is whether it continues
     */
    public void supervise(boolean is) throws IOException, InterruptedException {
        ProcessId supervisor = folder.supervisor();
        if (supervisor == null || new ProcessBuilder("kill", is ? "-CONT" : "-STOP", "" + supervisor.pid()).start()
            .waitFor() != 0) {
            throw new IOException("the supervisor cannot be signalled");
        }
    }

    /**
     * Kills a node by SIGKILL.
     *
     * @param node the node
     */
    public void kill(LocalNode node) throws IOException {
        ProcessId process = node.process();
        if (process == null) {
            throw new IOException(node.name() + " does not run");
        }
        process.handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    /**
     * Starts a node again that was killed.
     *
     * @param node the node
     */
    public void start(LocalNode node) throws IOException, InterruptedException {
        awaitTrue("the end of " + node.name() + " is noted", () -> node.process() == null);
        teff("start", node.name());
    }

    /**
     * Finds the superpeer that leads, to which the next command goes.
     *
     * @param killed a killed superpeer, or null
     * @return the leader; null if none but the killed superpeer leads
     */
    public LocalNode leader(LocalNode killed) {
        List<LocalNode> superpeers = folder.nodes().stream().filter(LocalNode::isSuperpeer).toList();
        for (int i = 0; i < superpeers.size(); i++) {
            LocalNode superpeer = superpeers.get(i);
            boolean isKilled = killed != null && superpeer.name().equals(killed.name());
            NodeStatus status = isKilled ? null : link.status(CellMessages.nid(i), false).join();
            if (status != null && status.standing().isLeading()) {
                link.leads(i);
                return superpeer;
            }
        }
        return null;
    }

    // ---- tables ----

    /**
     * Converts the name of a life.
     *
     * @param life the life
     * @return its name in the tables
     */
    public static NodeRef reference(NodeLife life) {
        return new NodeRef(life.nid(), life.incarnation());
    }

    /**
     * Finds the zones of a peer.
     *
     * @param life its life
     * @return the zones that the life owns
     */
    public List<Integer> owned(NodeRef life) {
        return link.tables().zones().stream().filter(row -> row.isOwnedBy(life)).map(ZoneRow::zone).toList();
    }

    /**
     * Waits until all peers live and own as many zones, all zones are served and have their backups, and this has
     * lasted a second. So a kill meets a peer that owns its share.
     */
    public void awaitBacked() throws IOException {
        long since = System.nanoTime();
        long end = since + LIMIT_NS;
        while (System.nanoTime() - since < REST_NS) {
            if (!link.refresh() || !isBacked()) {
                since = System.nanoTime();
            }
            if (System.nanoTime() - end > 0 || link.tables().zones().stream()
                .anyMatch(row -> row.state() == ZoneState.LOST)) {
                throw new IOException("zones are lost, do not get their backups or are not shared evenly: "
                    + count(ZoneRow::state) + ", " + count(row -> row.backups().size() + " backups") + ", "
                    + count(row -> "owner " + row.owner()));
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private Map<Object, Long> count(Function<ZoneRow, Object> key) {
        return link.tables().zones().stream().collect(Collectors.groupingBy(key, Collectors.counting()));
    }

    private boolean isBacked() {
        return link.tables().nodes().stream().filter(row -> row.isAlive() && row.roles().takesBackups()).count()
            == peers && isBackedBy(peers) && isShared(ZoneState.OPEN) && isShared(ZoneState.FULL);
    }

    /** Returns whether the numbers of zones in a state that the peers own differ by one at most. */
    private boolean isShared(ZoneState state) {
        LongSummaryStatistics counts = link.tables().nodes().stream().filter(row -> row.isAlive()
            && row.roles().ownsZones()).mapToLong(node -> link.tables().zones().stream().filter(row ->
                row.state() == state && row.isOwnedBy(node.reference())).count()).summaryStatistics();
        return counts.getMax() - counts.getMin() <= 1;
    }

    /**
     * Tells whether all zones are served by the last known tables, with as many backups as the peers permit.
     *
     * @param alive number of living peers
     * @return whether they are
     */
    public boolean isBackedBy(int alive) {
        List<ZoneRow> rows = link.tables().zones();
        return !rows.isEmpty() && rows.stream().allMatch(row -> row.state().isServed()
            && row.backups().size() == Math.min(backups, alive - 1));
    }

    private static void awaitTrue(String what, BooleanSupplier condition) throws IOException {
        long end = System.nanoTime() + LIMIT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(String.format(Locale.ROOT, "not within %d s: %s",
                    TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS), what));
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    @Override
    public void close() throws IOException {
        link.close();
        try {
            teff("down");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the cluster may not have ended", e);
        }
    }
}
