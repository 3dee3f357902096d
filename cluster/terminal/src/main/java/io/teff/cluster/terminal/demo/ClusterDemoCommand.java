package io.teff.cluster.terminal.demo;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.LocalCluster;
import io.teff.cluster.terminal.local.LocalCommand;
import io.teff.engine.os.FailureText;
import io.teff.examples.graph.ClassFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code cluster demo}. */
@Command(
    name = "demo",
    description = {"Kills a peer in the middle of updates, and verifies every byte.",
        "Uses the cluster of the folder if it runs, and removes its chunks afterwards; else starts one of its own in a "
            + "temporary folder, and ends it.",
        "Stores the classes of the JDK as a graph, and small chunks; updates these by several threads at level BACKED; "
            + "kills the peer that owns the graph, as kill -9 does; and shows when the cluster has noticed it, has "
            + "fenced the peer's zones, serves the first and the last one again, and has as many backups as before."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:every byte was right, and all zones are served", "1:chunks were wrong, or the cluster or client "
        + "has failed", "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster demo", "  ./teff cluster up && ./teff cluster demo --json && ./teff cluster down"},
    sortOptions = false)
public final class ClusterDemoCommand extends LocalCommand {
    private static final int CHUNKS_MIN = 1_000;
    private static final int CHUNKS_MAX = 8_000_000;
    private static final int CLASSES_MAX = ClusterStore.RESERVED_MAX;
    private static final int THREADS_MAX = 64;
    private static final int PEERS_MAX = 16;

    @Option(names = "--chunks", paramLabel = "N", defaultValue = "2000000",
        description = "Number of chunks of 32 B, 1000 to 8000000. Default: ${DEFAULT-VALUE}.")
    private int chunks;

    @Option(names = "--classes", paramLabel = "N", defaultValue = "65536",
        description = "Most classes of the graph, 1 to 65536. Default: ${DEFAULT-VALUE}, which is all.")
    private int classes;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "4",
        description = "Threads of the client, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(names = "--kill", paramLabel = "NODE",
        description = "The peer that is killed. Default: the owner of the graph.")
    private @Nullable String victim;

    @Option(names = "--peers", paramLabel = "N", defaultValue = "4",
        description = "Peers of a cluster of its own, 2 to 16. Default: ${DEFAULT-VALUE}.")
    private int peers;

    @Option(names = "--keep", description = "Do not end a cluster of its own.")
    private boolean isKept;

    @Option(names = "--svg", paramLabel = "FILE", defaultValue = "teff-cluster-demo.svg",
        description = "File for the updates per second around the kill. Default: ${DEFAULT-VALUE}.")
    private Path svg = Path.of("teff-cluster-demo.svg");

    @Option(names = "--json", description = "Write JSON to standard output, and everything else to standard error.")
    private boolean isJson;

    @Override
    public Integer call() {
        check(chunks >= CHUNKS_MIN && chunks <= CHUNKS_MAX, "--chunks " + chunks + "; allowed: 1000 to 8000000");
        check(classes >= 1 && classes <= CLASSES_MAX, "--classes " + classes + "; allowed: 1 to 65536");
        check(threads >= 1 && threads <= THREADS_MAX, "--threads " + threads + "; allowed: 1 to 64");
        check(peers >= 2 && peers <= PEERS_MAX, "--peers " + peers + "; allowed: 2 to 16");
        LiveLine line = new LiveLine(isJson ? spec().commandLine().getErr() : out(), LiveLine.isTerminal());
        try {
            Files.writeString(svg, "");                         // rather now than after the work
        } catch (IOException e) {
            throw new CommandFailure("--svg: " + svg + " cannot be written: " + FailureText.of(e), e);
        }
        try (DemoCluster cluster = cluster(line)) {
            return run(cluster, line);
        } catch (IOException e) {
            throw new CommandFailure("the demo has failed: " + FailureText.of(e), e);
        }
    }

    private void check(boolean holds, String fault) {
        if (!holds) {
            throw new ParameterException(spec().commandLine(), fault);
        }
    }

    private DemoCluster cluster(LiveLine line) {
        ClusterFolder running = LocalCluster.running(folder().path());
        if (running != null) {
            line.print("cluster   that of folder " + running.path());
            return DemoCluster.running(running);
        }
        line.print("cluster   none runs in folder " + folder().path() + ": starting 1 superpeer and " + peers
            + " peers");
        DemoCluster own = DemoCluster.start(1, peers, isKept, line::print);
        line.print("          in folder " + own.folder().path());
        return own;
    }

    private int run(DemoCluster cluster, LiveLine line) throws IOException {
        NodeSettings entrance = cluster.folder().entrance();
        try (ClusterStore store = ClusterStore.connect(entrance.client()); ClusterAdmin admin = entrance.connect()) {
            DemoRun run = new DemoRun(new DemoGraph(store, files(), threads), new DemoChunks(store, chunks), threads,
                cluster, admin, line);
            DemoResult result = run.run(victim);
            Files.writeString(svg, DemoChart.svg(result));
            line.print("timeline  " + svg);
            if (isJson) {
                print(JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).with(JSON.Feature.WRITE_NULL_PROPERTIES)
                    .asString(result.json()));
            }
            leave(cluster, run, result, line);
            return result.isGood() ? 0 : 1;
        }
    }

    private void leave(DemoCluster cluster, DemoRun run, DemoResult result, LiveLine line) {
        if (!result.timeline().isServed()) {
            throw new CommandFailure("only " + result.timeline().served() + " of " + result.timeline().zones()
                + " zones of " + result.killed() + " are served again");
        }
        if (!cluster.isOwn()) {
            run.remove();
            line.print("removed   all chunks of the demo\n  start the peer again: ./teff cluster start "
                + result.killed() + " --dir " + cluster.folder().path() + "\n  end the cluster:      ./teff cluster "
                + "down --dir " + cluster.folder().path());
        }
    }

    private ClassFiles files() throws IOException {
        ClassFiles all = ClassFiles.ofRuntimeImage();
        SortedMap<String, Path> some = new TreeMap<>();
        all.byName().entrySet().stream().limit(classes).forEach(entry -> some.put(entry.getKey(), entry.getValue()));
        return new ClassFiles(some);
    }
}
