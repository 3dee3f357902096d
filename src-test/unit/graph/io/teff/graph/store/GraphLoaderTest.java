package io.teff.graph.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.graph.Adjacency;
import io.teff.graph.EdgeList.Edge;
import io.teff.graph.EdgeList;
import io.teff.graph.GraphForms;
import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a loaded graph has the edges of its source, in each form; a load that does not fit changes nothing, and a load
 * that has ended early continues. Method: random edges, compared with sorted maps; sources that are cancelled or fail.
 */
final class GraphLoaderTest {
    private static final int GRAPHS = Form.isLong() ? 5000 : 400;
    private static final List<Edge> TRIANGLE = List.of(new Edge(0, 1, 3), new Edge(1, 0, 2), new Edge(1, 1, 1),
        new Edge(1, 2, 1), new Edge(0, 2, 1));
    /** As many vertices as several buckets have. */
    private static final int MANY = 20_000;

    private final Workers workers = new Workers(2);
    private final Store store = Store.open(StoreConfig.builder().name("loads").memoryLimitBytes(128 << 20).build());

    @AfterEach
    void end() {
        store.audit();
        store.close();
        workers.close();
    }

    @Test
    void load_randomEdges_hasTheRunsOfTheEdges() throws IOException {
        long first = Seed.first();
        try (GraphForms forms = new GraphForms()) {
            for (long seed = first; seed < first + GRAPHS; seed++) {
                SplittableRandom random = Seed.random(seed);
                EdgeList edges = EdgeList.random(random, random.nextBoolean(), random.nextBoolean());
                String text = Seed.reproduce(GraphLoaderTest.class, seed);
                for (Adjacency graph : forms.all(edges, LoadOptions.DEFAULT)) {
                    List<TreeMap<Integer, Double>> runs = edges.runs(false);
                    assertEquals(runs, EdgeList.runsOf(graph), text);
                    assertEquals(edges.runs(true), EdgeList.runsOf(graph.reversed()), text);
                    assertEquals(runs.stream().mapToLong(TreeMap::size).sum(), graph.arcCount(), text);
                    assertEquals(edges.directed(), graph.directed(), text);
                    assertEquals(edges.weighted(), graph.weighted(), text);
                    if (graph instanceof StoreGraph stored) {
                        stored.audit();
                    }
                }
            }
        }
    }

    @Test
    void load_manyBucketsInSeveralPasses_hasTheSameRuns() throws IOException {
        EdgeList edges = EdgeList.random(Seed.random(3), MANY, 3 * MANY, true, true);
        LoadOptions options = LoadOptions.DEFAULT.withSortBytes(1 << 18);
        GraphLoader loader = new GraphLoader(store, workers).options(options);
        assertTrue(loader.plan(edges).passes() > 1);
        StoreGraph graph = loader.load("many", edges);
        assertEquals(edges.runs(false), EdgeList.runsOf(graph));
        assertEquals(edges.runs(true), EdgeList.runsOf(graph.reversed()));
        graph.audit();
    }

    @Test
    void load_options_keepLoopsAndDuplicatesOrIgnoreDirection() throws IOException {
        EdgeList edges = new EdgeList(3, true, true, false, TRIANGLE);
        GraphLoader loader = new GraphLoader(store, workers);
        StoreGraph both = loader.options(LoadOptions.DEFAULT.ignoreDirection(true)).load("both", edges);
        assertEquals(List.of(new TreeMap<>(Map.of(1, 2.0, 2, 1.0)),
            new TreeMap<>(Map.of(0, 2.0, 2, 1.0)), new TreeMap<>(Map.of(0, 1.0, 1, 1.0))),
            EdgeList.runsOf(both));
        StoreGraph all = loader.options(LoadOptions.DEFAULT.ignoreDirection(true).keepLoops(true).keepDuplicates(true)
            .withVertices(5)).load("all", edges);
        assertEquals(5, all.vertexCount());
        assertEquals(9, all.arcCount());
        assertEquals(4, all.degree(1));
        StoreGraph single = loader.options(LoadOptions.DEFAULT.withReverse(false)).load("single", edges);
        assertThrows(IllegalStateException.class, single::reversed);
        assertEquals(4, single.arcCount());
    }

    @Test
    void load_noVerticesOrNoEdges_isAGraph() throws IOException {
        GraphLoader loader = new GraphLoader(store, workers);
        StoreGraph none = loader.load("none", new EdgeList(0, false, false, true, List.of()));
        assertEquals(0, none.vertexCount());
        StoreGraph alone = loader.load("alone", new EdgeList(7, true, false, true, List.of()));
        assertEquals(0, alone.degree(6));
        assertThrows(IndexOutOfBoundsException.class, () -> alone.degree(7));
        assertThrows(IndexOutOfBoundsException.class, () -> alone.neighbours().open(7));
    }

    @Test
    void load_tooLarge_isRefusedBeforeAnythingChanges() {
        EdgeList edges = new EdgeList(30_000_000, false, false, true, TRIANGLE);
        long before = store.stats().chunks();
        StoreException refused = assertThrows(StoreException.class,
            () -> new GraphLoader(store, workers).load("large", edges));
        assertEquals(StoreException.Category.DEGRADED, refused.category());
        assertEquals(before, store.stats().chunks());
        assertFalse(StoreGraph.drop(store, "large"));
    }

    @Test
    void load_edgeOutside_isRefusedWithTheEdge() {
        EdgeList edges = new EdgeList(2, false, false, true, TRIANGLE);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
            () -> new GraphLoader(store, workers).load("outside", edges));
        assertTrue(refused.getMessage().contains("from 1 to 2") || refused.getMessage().contains("from 0 to 2"),
            refused.getMessage());
    }

    @Test
    void load_sameName_isRefused() throws IOException {
        EdgeList edges = new EdgeList(3, false, false, true, TRIANGLE);
        new GraphLoader(store, workers).load("same", edges);
        assertThrows(IllegalArgumentException.class, () -> new GraphLoader(store, workers).load("same", edges));
        assertThrows(IllegalArgumentException.class, () -> new GraphLoader(store, workers).load("a/b", edges));
    }

    @Test
    void load_cancelledInTheMiddle_continuesBehindTheWholeBuckets() throws IOException {
        EdgeList edges = EdgeList.random(Seed.random(5), MANY, 3 * MANY, true, false);
        AtomicInteger sorted = new AtomicInteger();
        WorkWatch cancels = new WorkWatch() {
            @Override
            public void at(String step, long done, long total) {
                if (step.equals("sort")) {
                    sorted.incrementAndGet();
                }
            }

            @Override
            public boolean isCancelled() {
                return sorted.get() > 3;
            }
        };
        GraphLoader loader = new GraphLoader(store, workers);
        assertThrows(CancellationException.class, () -> loader.watch(cancels).load("broken", edges));
        assertThrows(IllegalStateException.class, () -> StoreGraph.open(store, "broken"));
        StoreGraph graph = loader.watch(WorkWatch.NONE).load("broken", edges);
        assertEquals(edges.runs(false), EdgeList.runsOf(graph));
        assertEquals(edges.runs(true), EdgeList.runsOf(graph.reversed()));
        graph.audit();
        assertEquals(edges.runs(false).stream().mapToLong(TreeMap::size).sum(), graph.arcCount());
        assertEquals(graph, StoreGraph.open(store, "broken"));
    }

    @Test
    void load_continuedInAnotherShape_isRefused() throws IOException {
        EdgeList edges = EdgeList.random(Seed.random(5), MANY, 3 * MANY, true, false);
        GraphLoader loader = new GraphLoader(store, workers);
        assertThrows(IOException.class, () -> loader.load("shape", new Failing(edges)));
        assertThrows(IllegalArgumentException.class, () -> new GraphLoader(store, workers).form(RunForm.PACKED)
            .load("shape", edges));
        assertTrue(StoreGraph.drop(store, "shape"));
        new GraphLoader(store, workers).form(RunForm.PACKED).load("shape", edges).audit();
    }

    @Test
    void drop_graphWithProperties_freesAllChunks() throws IOException {
        EdgeList edges = EdgeList.random(Seed.random(5), 500, 1500, true, false);
        new GraphLoader(store, workers).load("first", edges);    // the directory of names stays
        StoreGraph.drop(store, "first");
        long before = store.stats().chunks();
        StoreGraph graph = new GraphLoader(store, workers).load("gone", edges);
        graph.column("rank", Codecs.LONG).put(3, 7L);
        graph.edgeProperty("since", Codecs.LONG).put(graph.edgeKey(1, 2), 9L);
        assertTrue(StoreGraph.drop(store, "gone"));
        assertEquals(before, store.stats().chunks());
        assertFalse(StoreGraph.drop(store, "gone"));
    }

    /** Fails in the last part. */
    private record Failing(EdgeList edges) implements EdgeSource {
        @Override
        public long vertexCount() {
            return edges.vertexCount();
        }

        @Override
        public long edgeCount() {
            return edges.edges().size();
        }

        @Override
        public boolean directed() {
            return edges.directed();
        }

        @Override
        public boolean weighted() {
            return edges.weighted();
        }

        @Override
        public int parts() {
            return edges.parts();
        }

        @Override
        public void read(int part, EdgeSink sink) throws IOException {
            if (part == edges.parts() - 1) {
                throw new IOException("line 7: planted");
            }
            edges.read(part, sink);
        }
    }
}
