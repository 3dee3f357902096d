package io.teff.test.bench.graph;

import io.teff.cluster.ClusterStore;
import io.teff.graph.cluster.PartedGraph;
import io.teff.graph.cluster.PartedLoader;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.cluster.RunOptions;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.bench.process.BenchCluster;
import io.teff.test.bench.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Starts a cluster of a superpeer and four peers, loads a graph into the cluster and into this process, and runs the
 * algorithms on both.
 *
 * @param scale scale of the Kronecker graph
 * @param memoryBytes memory of all peers together for chunks, and as much for their heaps
 * @param port first port
 * @param progress sees each step
 */
record PartsRun(int scale, long memoryBytes, int port, Consumer<String> progress) {
    private static final int PEERS = 4;
    private static final int BACKUPS = 2;
    private static final int MEBIBYTE_SHIFT = 20;
    private static final String GRAPH = "kronecker";

    PartsFigures measure(List<PartsAlgorithm> chosen, int rounds, Path out) throws IOException, InterruptedException {
        Path home = Files.createTempDirectory(out.toAbsolutePath(), "graph-cluster-");
        int peerMiB = (int) (memoryBytes / PEERS >>> MEBIBYTE_SHIFT);
        boolean isComplete = false;
        try (Workers threads = Workers.ofProcessors();
             BenchCluster cluster = new BenchCluster(home.resolve("cluster"), 1, PEERS, BACKUPS, peerMiB + "m", port,
                 peerMiB)) {
            cluster.awaitBacked();
            try (ClusterStore store = cluster.connect()) {
                PartsFigures figures = measure(chosen, rounds, threads, cluster, store);
                isComplete = true;
                return figures;
            }
        } finally {
            if (isComplete) {
                Folders.delete(home);
            } else {
                progress.accept("the cluster's folder is kept: " + home);
            }
        }
    }

    /** Returns the processor time of the nodes and of this process until now. */
    private static long processorNs(BenchCluster cluster) {
        Stream<ProcessHandle> nodes = cluster.processes().values().stream().flatMap(pid -> ProcessHandle.of(pid)
            .stream());
        return Stream.concat(nodes, Stream.of(ProcessHandle.current())).mapToLong(process -> process.info()
            .totalCpuDuration().orElse(Duration.ZERO).toNanos()).sum();
    }

    private PartsFigures measure(List<PartsAlgorithm> chosen, int rounds, Workers threads, BenchCluster cluster,
                                 ClusterStore store) throws IOException {
        EdgeSource edges = new Kronecker(scale);
        progress.accept("load the graph");
        FrozenGraph frozen = FrozenGraph.load(edges, LoadOptions.DEFAULT, threads, WorkWatch.NONE);
        long begin = System.nanoTime();
        PartedGraph graph = new PartedLoader(store, threads).workersPerNode(1).load(GRAPH, edges);
        PartsFigures figures = new PartsFigures(frozen.arcCount() / 2, (System.nanoTime() - begin) / 1e9,
            2.0 * graph.arcBytes() / graph.arcCount());
        try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT)) {
            runs.open();
            PartsTrial trial = PartsTrial.of(frozen, threads, runs, () -> processorNs(cluster));
            for (int round = 0; round <= rounds; round++) {
                for (PartsAlgorithm algorithm : chosen) {
                    progress.accept((round == 0 ? "warm up: " : "round " + round + " of " + rounds + ": ")
                        + algorithm.id());
                    PartsTrial.Figures found = trial.run(algorithm);
                    if (round > 0) {
                        figures.add(algorithm, found);
                    }
                }
            }
        }
        return figures;
    }
}
