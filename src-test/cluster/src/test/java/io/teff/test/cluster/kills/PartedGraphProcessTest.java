package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.graph.cluster.PartedAlgorithms;
import io.teff.graph.cluster.PartedGraph;
import io.teff.graph.cluster.PartedLoader;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.cluster.RunOptions.OnWorkerLoss;
import io.teff.graph.cluster.RunOptions;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.generate.GeneratorForm;
import io.teff.graph.kernel.BfsValidation;
import io.teff.graph.kernel.PageRank;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: algorithms on a graph in parts have the results of one machine although the process of a worker is killed.
 * Method: a cluster of processes; a search restarts the step of the lost worker, and ranks begin anew.
 */
@Tag("processes")
@FullTier("a cluster of processes and two kills; PartedGraphKillTest has all algorithms in one process")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class PartedGraphProcessTest {
    private static final int ROUNDS = 10;
    private static final double DAMPING = 0.85;
    private static final double EXACT = 1e-12;

    @TempDir
    private Path folder;

    private static final class Kill implements WorkWatch {
        private final LocalCluster cluster;
        private final String victim;
        private final AtomicReference<NodeRef> killed = new AtomicReference<>();

        Kill(LocalCluster cluster, String victim) {
            this.cluster = cluster;
            this.victim = victim;
        }

        @Override
        public void at(String step, long done, long total) {
            if (done == 2 && killed.get() == null) {
                killed.set(cluster.kill(victim));
            }
        }
    }

    @Test
    void searchAndRanks_whoseProcessesAreKilled_haveTheSameResults() throws IOException, InterruptedException {
        EdgeSource source = GeneratorForm.parse("uniform:20000,100000", 11, false);
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null); Workers threads = new Workers(2);
            ClusterStore store = cluster.connect()) {
            cluster.awaitBacked();
            FrozenGraph frozen = FrozenGraph.load(source, LoadOptions.DEFAULT, threads, WorkWatch.NONE);
            PartedGraph graph = new PartedLoader(store, threads).load("killed", source);
            assertEquals(frozen.arcCount(), graph.arcCount());
            Kill first = new Kill(cluster, "peer-1");
            try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT.onLoss(OnWorkerLoss.RESTART_STEP), first)) {
                assertEquals(List.of(), new BfsValidation(frozen, threads).check(PartedAlgorithms.search(runs, 0))
                    .violations());
            }
            assertTrue(first.killed.get() != null, "a search of more than two supersteps");
            cluster.start("peer-1");
            cluster.awaitServed(first.killed.get());
            cluster.awaitBacked();
            Kill second = new Kill(cluster, "peer-2");
            try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT, second)) {
                double[] ranks = PartedAlgorithms.ranks(runs, ROUNDS, DAMPING);
                PageRank expected = PageRank.ldbc(frozen, ROUNDS, DAMPING, threads, WorkWatch.NONE);
                double[] scores = new double[ranks.length];
                for (int vertex = 0; vertex < scores.length; vertex++) {
                    scores[vertex] = expected.score(vertex);
                }
                assertArrayEquals(scores, ranks, EXACT);
                assertTrue(runs.figures().restarts() > 0, () -> runs.figures().toString());
            }
            assertTrue(PartedGraph.drop(store, "killed"));
        }
    }
}
