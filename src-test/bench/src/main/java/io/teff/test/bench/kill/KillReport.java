package io.teff.test.bench.kill;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.test.bench.process.BenchCluster;
import io.teff.test.bench.process.Folders;
import io.teff.test.bench.process.ProcessFigures;
import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench cluster-kill} command: kills peers of a cluster of processes under load. */
@Command(
    name = "cluster-kill",
    description = {
        "Kills peers of a cluster of processes under load, one after the other, and measures when their chunks can be "
            + "read again, step by step; before that, memory and disk per chunk and the processor time of idle "
            + "processes.",
        "Starts a superpeer and peers, or three superpeers if one is to be killed, as ./teff cluster up does. The peer "
            + "that is killed has at least the given number of chunks. Between two kills it is started again, and all "
            + "zones get back their backups. Results are the median and the worst; cluster-kill.txt and "
            + "cluster-kill.json are written to a folder."},
    sortOptions = false)
public final class KillReport implements Callable<Integer> {
    private static final int CHUNKS_MIN = 1_000;
    private static final int CHUNKS_MAX = 20_000_000;
    private static final int BYTES_MAX = 1_024;
    private static final int PEERS_MIN = 3;
    private static final int PEERS_MAX = 16;
    private static final int THREADS_MAX = 64;
    private static final int BACKUPS = 2;
    /** The least number of superpeers of which one may be killed. */
    private static final int SUPERPEERS = 3;
    /** After the load, until logs are written and pages are given back. */
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(5);

    @Option(names = "--chunks", paramLabel = "N", defaultValue = "4000000",
        description = "Chunks of each peer, 1,000 to 20,000,000 (default: ${DEFAULT-VALUE}).")
    private int chunks;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "64",
        description = "Length of a chunk, a multiple of 8 up to 1,024 (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(names = "--kills", paramLabel = "N", defaultValue = "10",
        description = "Kills of each mode, from 1 (default: ${DEFAULT-VALUE}).")
    private int kills;

    @Option(names = "--modes", split = ",", paramLabel = "MODE", defaultValue = "attested,lease",
        description = "How the cluster learns a peer's death: attested by the supervisor, or by the lease alone; or "
            + "leader: the leading superpeer is killed, and the time until a command is committed and the longest gap "
            + "between calls are measured; or refill: a peer is killed, and the times of reads are measured while its "
            + "zones get new backups; or rate: a peer of a cluster with three superpeers is killed while threads call "
            + "as fast as they can and another thread reads all chunks, and the calls per second are measured. refill "
            + "and rate need four peers or more (default: ${DEFAULT-VALUE}).")
    private List<String> modes = List.of();

    @Option(names = "--peers", paramLabel = "N", defaultValue = "4",
        description = "Number of peers, 3 to 16 (default: ${DEFAULT-VALUE}).")
    private int peers;

    @Option(names = "--memory", paramLabel = "BYTES", defaultValue = "2g",
        description = "Most memory for chunks of each peer (default: ${DEFAULT-VALUE}).")
    private String memory = "2g";

    @Option(names = "--threads", paramLabel = "N", defaultValue = "4",
        description = "Threads of the load, 1 to 64 (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "4000",
        description = "Calls per second of the load, half of them updates at BACKED, half of them reads (default: "
            + "${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--idle-seconds", paramLabel = "N", defaultValue = "30",
        description = "How long idle processes are watched (default: ${DEFAULT-VALUE}).")
    private int idleSeconds;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "17400",
        description = "First port of the cluster (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "target/bench",
        description = "Folder for the results (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("");

    @Option(names = "--json", description = "Print the JSON instead of the table.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by the library
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Made by the library of the command line. */
    public KillReport() {}

    private void check(boolean good, String message) {
        CommandSupport.check(spec, good, message);
    }

    private List<KillMode> chosen() {
        return modes.stream().map(mode -> {
            KillMode found = Named.of(KillMode.values(), mode).orElse(null);
            check(found != null, "--modes=" + mode + " is no mode; there are " + Named.ids(KillMode.values()));
            return found;
        }).toList();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(chunks >= CHUNKS_MIN && chunks <= CHUNKS_MAX, "--chunks=" + chunks + " is not in 1,000 to 20,000,000");
        check(bytes >= Long.BYTES && bytes <= BYTES_MAX && bytes % Long.BYTES == 0, "--bytes=" + bytes
            + " is no multiple of 8 up to 1,024");
        check(kills >= 1, "--kills=" + kills + " is less than 1");
        check(peers >= PEERS_MIN && peers <= PEERS_MAX, "--peers=" + peers + " is not in 3 to 16");
        check(threads >= 1 && threads <= THREADS_MAX, "--threads=" + threads + " is not in 1 to 64");
        check(rate >= 1, "--rate=" + rate + " is less than 1");
        check(idleSeconds >= 1, "--idle-seconds=" + idleSeconds + " is less than 1");
        List<KillMode> wanted = chosen();
        check(!wanted.contains(KillMode.REFILL) && !wanted.contains(KillMode.RATE) || peers > PEERS_MIN,
            "--modes=refill and rate need more than 3 peers, so that there is one for a new backup");
        CommandSupport.makeFolder(spec, out);
        Path home = Files.createTempDirectory(out.toAbsolutePath(), "cluster-kill-");
        KillFigures figures = new KillFigures(chunks, bytes, peers, threads, rate);
        boolean isComplete = false;
        try (BenchCluster cluster = new BenchCluster(home.resolve("cluster"),
            wanted.contains(KillMode.LEADER) || wanted.contains(KillMode.RATE) ? SUPERPEERS : 1, peers,
            BACKUPS, memory, port)) {
            measure(cluster, figures, wanted);
            isComplete = true;
        } finally {
            if (!isComplete) {
                CommandSupport.progress(spec, "the cluster's folder is kept: %s%n", home);
            }
        }
        Folders.delete(home);
        Machine machine = Machine.here();
        String text = figures.table(machine);
        String fields = figures.json(machine);
        Files.writeString(out.resolve("cluster-kill.txt"), text);
        Files.writeString(out.resolve("cluster-kill.json"), fields);
        PrintWriter printer = spec.commandLine().getOut();
        printer.println(json ? fields : text);
        printer.flush();
        return figures.isRight() ? 0 : 1;
    }

    private void measure(BenchCluster cluster, KillFigures figures, List<KillMode> wanted)
            throws IOException, InterruptedException {
        cluster.awaitBacked();
        Map<String, Long> residentBefore = resident(cluster);
        long diskBefore = ProcessFigures.diskBytes(cluster.home());
        progress("watch the idle cluster");
        figures.idle("empty", ProcessFigures.idlePercent(cluster.processes(), idleSeconds));
        try (ClusterStore store = cluster.connect(); ClusterStore reader = cluster.connect()) {
            KillChunks all = new KillChunks(store, Math.multiplyExact(chunks, peers), bytes, threads);
            progress("create the chunks");
            long begun = System.nanoTime();
            all.create();
            figures.created((System.nanoTime() - begun) / 1e9);
            cluster.awaitBacked();
            LockSupport.parkNanos(REST_NS);
            figures.space(residentBefore, resident(cluster), diskBefore, ProcessFigures.diskBytes(cluster.home()));
            progress("watch the idle cluster with its chunks");
            figures.idle("filled", ProcessFigures.idlePercent(cluster.processes(), idleSeconds));
            for (KillMode mode : wanted) {
                for (int kill = 1; kill <= kills; kill++) {
                    cluster.awaitBacked();
                    KillTraffic traffic = new KillTraffic(store, all, threads, rate);
                    if (mode == KillMode.LEADER) {
                        progress("kill " + kill + " of " + kills + ", " + mode.title());
                        figures.add(new LeaderTrial(cluster, all, traffic).run());
                    } else if (mode == KillMode.RATE) {
                        LocalNode victim = victim(cluster, all);
                        progress("kill " + kill + " of " + kills + ", " + mode.title() + ": " + victim.name());
                        figures.add(new RateTrial(cluster, all, new KillTraffic(store, all, threads, Integer.MAX_VALUE))
                            .run(victim));
                    } else if (mode == KillMode.REFILL) {
                        LocalNode victim = victim(cluster, all);
                        progress("kill " + kill + " of " + kills + ", " + mode.title() + ": " + victim.name());
                        figures.add(new RefillTrial(cluster, all, traffic, peers).run(victim));
                    } else {
                        LocalNode victim = victim(cluster, all);
                        progress("kill " + kill + " of " + kills + ", " + mode.title() + ": " + victim.name());
                        figures.add(mode, new KillTrial(cluster, reader, all, traffic).run(victim, mode));
                    }
                }
            }
        }
    }

    private void progress(String what) {
        CommandSupport.progress(spec, "%s%n", what);
    }

    private static Map<String, Long> resident(BenchCluster cluster) throws IOException {
        Map<String, Long> bytes = new TreeMap<>();
        for (Map.Entry<String, Long> process : cluster.processes().entrySet()) {
            bytes.put(process.getKey(), ProcessFigures.residentBytes(process.getValue()));
        }
        return bytes;
    }

    /** Returns the peer with the fewest of those chunks that are enough, or else the one with the most. */
    private LocalNode victim(BenchCluster cluster, KillChunks all) throws IOException {
        LocalNode best = null;
        long bestCount = -1;
        for (LocalNode peer : cluster.peers()) {
            long count = countOf(cluster, all, peer.life());
            boolean isBetter = bestCount < chunks ? count > bestCount : count >= chunks && count < bestCount;
            if (isBetter) {
                best = peer;
                bestCount = count;
            }
        }
        if (best == null) {
            throw new IOException("no peer runs");
        }
        return best;
    }

    private static long countOf(BenchCluster cluster, KillChunks all, @Nullable NodeLife life) {
        Set<Integer> zones = life == null ? Set.of() : new HashSet<>(cluster.owned(BenchCluster.reference(life)));
        return all.countIn(zones);
    }
}
