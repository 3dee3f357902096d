package io.teff.test.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkStore;
import io.teff.graph.algorithms.Communities;
import io.teff.graph.algorithms.Cores;
import io.teff.graph.algorithms.ShortestPaths;
import io.teff.graph.algorithms.Team;
import io.teff.graph.algorithms.Triangles;
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
import io.teff.graph.kernel.Components;
import io.teff.graph.kernel.PageRank;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Algorithms on a graph in parts have the results of one machine, on a store of this process and on a cluster. */
final class PartedGraphOnStoresTest {
    private static final int ROUNDS = 8;
    private static final double DAMPING = 0.85;
    private static final double EXACT = 1e-12;

    @ParameterizedTest
    @EnumSource(Fresh.class)
    void algorithms_ofAKroneckerGraph_haveTheSameResults(Fresh kind) throws IOException {
        ChunkStore store = kind.store();
        EdgeSource source = GeneratorForm.parse("kronecker:9", 7, true);
        try (Workers threads = new Workers(2)) {
            FrozenGraph frozen = FrozenGraph.load(source, LoadOptions.DEFAULT, threads, WorkWatch.NONE);
            PartedGraph graph = new PartedLoader(store, threads).load("kronecker", source);
            assertEquals(frozen.arcCount(), graph.arcCount());
            for (OnWorkerLoss onLoss : OnWorkerLoss.values()) {
                try (PartedRuns runs = new PartedRuns(PartedGraph.open(store, "kronecker"),
                    RunOptions.DEFAULT.onLoss(onLoss))) {
                    check(frozen, runs, threads);
                }
            }
            assertTrue(PartedGraph.drop(store, "kronecker"));
            assertEquals(List.of(), PartedGraph.names(store));
        }
    }

    private static void check(FrozenGraph frozen, PartedRuns runs, Workers threads) {
        Team team = new Team(threads);
        int root = 0;
        while (frozen.degree(root) == 0) {
            root++;
        }
        assertEquals(List.of(), new BfsValidation(frozen, threads).check(PartedAlgorithms.search(runs, root))
            .violations());
        assertTrue(runs.figures().sentCount() < runs.figures().addedCount(), () -> runs.figures().toString());
        assertArrayEquals(ShortestPaths.lengths(frozen, team, root), PartedAlgorithms.paths(runs, root));
        int[] components = PartedAlgorithms.components(runs);
        Components expected = Components.of(frozen, threads);
        double[] ranks = PartedAlgorithms.ranks(runs, ROUNDS, DAMPING);
        PageRank scores = PageRank.ldbc(frozen, ROUNDS, DAMPING, threads, WorkWatch.NONE);
        for (int vertex = 0; vertex < ranks.length; vertex++) {
            assertEquals(expected.component(vertex), components[vertex]);
            assertEquals(scores.score(vertex), ranks[vertex], EXACT);
        }
        assertArrayEquals(Cores.numbers(frozen, team), PartedAlgorithms.cores(runs));
        assertArrayEquals(Communities.labels(frozen, team, ROUNDS), PartedAlgorithms.communities(runs, ROUNDS));
        assertEquals(Triangles.count(frozen, team), PartedAlgorithms.triangles(runs));
    }
}
