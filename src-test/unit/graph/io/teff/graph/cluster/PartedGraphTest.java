package io.teff.graph.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.compute.JobException;
import io.teff.engine.config.StoreConfig;
import io.teff.graph.EdgeList;
import io.teff.graph.algorithms.Communities;
import io.teff.graph.algorithms.Cores;
import io.teff.graph.algorithms.ShortestPaths;
import io.teff.graph.algorithms.Team;
import io.teff.graph.algorithms.Triangles;
import io.teff.graph.algorithms.program.Partition;
import io.teff.graph.cluster.RunOptions.OnWorkerLoss;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.kernel.BfsValidation;
import io.teff.graph.kernel.ParentTree;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a graph in parts has the results of the algorithms of one machine, for each number of parts and workers.
 * Method: random graphs on a store of this JVM; each result is compared with that of a short algorithm, or of the
 * algorithm over arrays.
 */
final class PartedGraphTest {
    private static final int GRAPHS = Form.isLong() ? 2000 : 60;
    private static final double EXACT = 1e-12;
    private static final int ROUNDS = 7;

    private final Store store = Store.open(StoreConfig.builder().name("parted").memoryLimitBytes(256 << 20).build());
    private final Workers threads = new Workers(2);
    private final Team team = new Team(threads);
    /** The chunks of the directory of names. */
    private int empty;

    @BeforeEach
    void nameOnce() {
        store.names().bind("first", store.create(1));
        assertTrue(store.names().drop("first"));
        empty = count();
    }

    @AfterEach
    void close() {
        threads.close();
        assertEquals(List.of(), PartedGraph.names(store));
        assertEquals(empty, count(), "the directory of names alone is left");
        store.audit();
        store.close();
    }

    @Test
    void partition_eachVertex_isOnceInOnePart() {
        for (int shift = 0; shift <= 5; shift++) {
            for (int vertexCount : new int[] {0, 1, 2, 7, 31, 32, 33, 200}) {
                Partition partition = new Partition(vertexCount, shift);
                int sum = 0;
                for (int part = 0; part < partition.parts(); part++) {
                    sum += partition.count(part);
                    for (int index = 0; index < partition.count(part); index++) {
                        int vertex = partition.vertex(part, index);
                        assertTrue(vertex < vertexCount, partition + " has " + vertex);
                        assertEquals(part, partition.part(vertex));
                        assertEquals(index, partition.index(vertex));
                    }
                }
                assertEquals(vertexCount, sum, partition.toString());
            }
        }
    }

    @Test
    void algorithms_randomGraphs_agreeWithThoseOfOneMachine() throws IOException {
        long first = Seed.first();
        for (long seed = first; seed < first + GRAPHS; seed++) {
            SplittableRandom random = Seed.random(seed);
            EdgeList edges = EdgeList.random(random, random.nextInt(3) == 0, random.nextInt(3) == 0);
            boolean ignores = random.nextBoolean();
            LoadOptions options = LoadOptions.DEFAULT.ignoreDirection(ignores).withVertices(edges.vertices());
            RunOptions run = RunOptions.DEFAULT.workers(random.nextInt(6))
                .onLoss(OnWorkerLoss.values()[random.nextInt(3)]);
            String text = Seed.reproduce(PartedGraphTest.class, seed);
            PartedGraph graph = new PartedLoader(store, threads).options(options).parts(1 << random.nextInt(5))
                .load("random", edges);
            FrozenGraph frozen = FrozenGraph.load(edges, options, threads, WorkWatch.NONE);
            assertEquals(frozen.arcCount(), graph.arcCount(), text);
            try (PartedRuns runs = new PartedRuns(graph, run)) {
                any(frozen, runs, random.nextInt(edges.vertices()), text);
                if (!frozen.directed()) {
                    undirected(frozen, runs, text);
                }
            }
            assertEquals(List.of(), graph.columns(), text);
            assertTrue(PartedGraph.drop(store, "random"));
        }
    }

    private void any(FrozenGraph frozen, PartedRuns runs, int root, String text) {
        ParentTree tree = PartedAlgorithms.search(runs, root);
        assertEquals(List.of(), new BfsValidation(frozen, threads).check(tree).violations(), text);
        assertArrayEquals(ShortestPaths.lengths(frozen, team, root), PartedAlgorithms.paths(runs, root), text);
        double[] ranks = PartedAlgorithms.ranks(runs, ROUNDS, 0.85);
        io.teff.graph.kernel.PageRank expected = io.teff.graph.kernel.PageRank.ldbc(frozen, ROUNDS, 0.85, threads,
            WorkWatch.NONE);
        for (int vertex = 0; vertex < ranks.length; vertex++) {
            assertEquals(expected.score(vertex), ranks[vertex], EXACT, text);
        }
    }

    private void undirected(FrozenGraph frozen, PartedRuns runs, String text) {
        int[] components = PartedAlgorithms.components(runs);
        io.teff.graph.kernel.Components expected = io.teff.graph.kernel.Components.of(frozen, threads);
        for (int vertex = 0; vertex < components.length; vertex++) {
            assertEquals(expected.component(vertex), components[vertex], text);
        }
        assertArrayEquals(Cores.numbers(frozen, team), PartedAlgorithms.cores(runs), text);
        assertArrayEquals(Communities.labels(frozen, team, ROUNDS), PartedAlgorithms.communities(runs, ROUNDS), text);
        assertEquals(Triangles.count(frozen, team), PartedAlgorithms.triangles(runs), text);
        assertEquals(Triangles.count(frozen, team), runs.triangles(3), text);
    }

    @Test
    void load_secondTime_isRefused_andColumnsStay() throws IOException {
        EdgeList edges = EdgeList.random(new SplittableRandom(3), 200, 900, false, false);
        PartedGraph graph = new PartedLoader(store, threads).load("named", edges);
        assertThrows(IllegalArgumentException.class, () -> new PartedLoader(store, threads).load("named", edges));
        try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT)) {
            runs.write(ComponentProgram.NAME, new byte[0], 100, "smallest");
            assertTrue(runs.figures().sentCount() > 0 && runs.figures().sentCount() <= runs.figures().addedCount(),
                () -> runs.figures().toString());
        }
        PartedGraph again = PartedGraph.open(store, "named");
        assertEquals(List.of("smallest"), again.columns());
        assertArrayEquals(edges.components(), again.values("smallest").ints(0));
        assertTrue(again.dropColumn("smallest"));
        assertFalse(again.dropColumn("smallest"));
        assertTrue(PartedGraph.drop(store, "named"));
        assertFalse(PartedGraph.drop(store, "named"));
        assertEquals(empty, count(), "the directory of names alone is left");
    }

    private int count() {
        int[] count = new int[1];
        store.ids().forEach(_ -> count[0]++);
        return count[0];
    }

    /** A load that has ended while it read begins anew; the arcs of the first attempt do not count. */
    @Test
    void load_cancelled_beginsAnew() throws IOException {
        EdgeList edges = EdgeList.random(new SplittableRandom(4), 50, 200, true, true);
        for (String step : List.of("read edges", "build parts")) {
            PartedLoader broken = new PartedLoader(store, threads).watch(new WorkWatch() {
                private boolean isOver;

                @Override
                public void at(String now, long done, long total) {
                    isOver = now.equals(step) && (done > 0 || step.equals("build parts"));
                }

                @Override
                public boolean isCancelled() {
                    return isOver;
                }
            });
            assertThrows(CancellationException.class, () -> broken.load("broken", edges));
            assertThrows(IllegalStateException.class, () -> PartedGraph.open(store, "broken"));
            PartedGraph graph = new PartedLoader(store, threads).load("broken", edges);
            assertEquals(edges.runs(false).stream().mapToInt(run -> run.size()).sum(), graph.arcCount());
            assertTrue(PartedGraph.drop(store, "broken"));
            assertEquals(empty, count(), "the directory of names alone is left");
        }
    }

    /** The messages of a run that the watch has cancelled are not those of the next run. */
    @Test
    void run_afterACancelledRun_isRight() throws IOException {
        EdgeList edges = EdgeList.random(new SplittableRandom(6), 300, 900, false, false);
        PartedGraph graph = new PartedLoader(store, threads).load("cancelled", edges);
        int[] cancelAt = {2};
        WorkWatch watch = new WorkWatch() {
            private boolean isOver;

            @Override
            public void at(String step, long done, long total) {
                isOver = done == cancelAt[0];
            }

            @Override
            public boolean isCancelled() {
                return isOver;
            }
        };
        try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT, watch)) {
            assertThrows(CancellationException.class, () -> PartedAlgorithms.components(runs));
            cancelAt[0] = -1;
            assertArrayEquals(edges.levels(0), PartedAlgorithms.search(runs, 0).levels());
        }
        assertTrue(PartedGraph.drop(store, "cancelled"));
    }

    @Test
    void run_wrongGraphOrProgramOrWeight_isRefused() throws IOException {
        EdgeList edges = new EdgeList(3, true, true, true, List.of(new EdgeList.Edge(0, 1, -1)));
        PartedGraph graph = new PartedLoader(store, threads).load("directed", edges);
        try (PartedRuns runs = new PartedRuns(graph, RunOptions.DEFAULT)) {
            assertThrows(IllegalArgumentException.class, () -> PartedAlgorithms.components(runs));
            assertThrows(IllegalArgumentException.class, () -> runs.run("nothing", new byte[0], 1));
            JobException failure = assertThrows(JobException.class, () -> PartedAlgorithms.paths(runs, 0));
            assertEquals(JobException.Reason.FAILED, failure.reason());
            assertTrue(failure.getMessage().contains("weight -1.0"), failure::getMessage);
            assertEquals(2, PartedAlgorithms.search(runs, 0).reachedCount());
        }
        assertTrue(PartedGraph.drop(store, "directed"));
    }
}
