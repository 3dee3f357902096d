package io.teff.graph.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.graph.Adjacency;
import io.teff.graph.EdgeList;
import io.teff.graph.Neighbours;
import io.teff.graph.kernel.BreadthFirst;
import io.teff.graph.kernel.Components;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: edges change as told, also while algorithms read; properties are kept. Method: random changes, compared with
 * sorted maps; writers beside readers that check each run.
 */
final class StoreGraphTest {
    private static final int STEPS = Form.isLong() ? 20_000 : 2_000;
    private static final int THREADS = 3;

    private final Store store = Store.open(StoreConfig.builder().name("edits").memoryLimitBytes(64 << 20).build());

    @AfterEach
    void end() {
        store.audit();
        store.close();
    }

    @Test
    void edges_randomChanges_areThoseOfAModel() {
        for (RunForm form : RunForm.values()) {
            for (int kind = 0; kind < 4; kind++) {
                boolean isDirected = (kind & 1) != 0;
                boolean isWeighted = (kind & 2) != 0;
                StoreGraph graph = StoreGraph.create(store, form + " " + kind, 40, isDirected, isWeighted, form);
                changes(graph, Seed.random(Seed.first() + kind));
                graph.audit();
                assertEquals(EdgeList.runsOf(graph), EdgeList.runsOf(StoreGraph.open(store, graph.name())));
            }
        }
    }

    private static void changes(StoreGraph graph, SplittableRandom random) {
        List<TreeMap<Integer, Double>> forward = EdgeList.runsOf(graph);
        List<TreeMap<Integer, Double>> backward = graph.directed() ? EdgeList.runsOf(graph.reversed()) : forward;
        for (int step = 0; step < STEPS; step++) {
            int source = random.nextInt(graph.vertexCount());
            int target = random.nextInt(graph.vertexCount());
            boolean was = forward.get(source).containsKey(target);
            if (random.nextInt(5) < 3) {
                double weight = graph.weighted() ? random.nextInt(9) : 1;
                assertEquals(!was, graph.addEdge(source, target, weight));
                forward.get(source).put(target, weight);
                backward.get(target).put(source, weight);
            } else {
                assertEquals(was, graph.removeEdge(source, target));
                forward.get(source).remove(target);
                backward.get(target).remove(source);
            }
        }
        assertEquals(forward, EdgeList.runsOf(graph));
        assertEquals(backward, EdgeList.runsOf(graph.reversed()));
        assertEquals(forward.stream().mapToLong(TreeMap::size).sum(), graph.arcCount());
    }

    @Test
    void edges_changedByThreadsBesideReaders_eachRunIsOfOneMoment() throws InterruptedException {
        StoreGraph graph = StoreGraph.create(store, "shared", 200, false, false, RunForm.PACKED);
        for (int vertex = 1; vertex < 200; vertex++) {
            graph.addEdge(0, vertex);                         // stays, so all vertices are reached at each moment
        }
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = Seed.random(i);
            writers.add(Thread.ofPlatform().start(() -> {
                for (int step = 0; step < STEPS; step++) {
                    int one = 1 + random.nextInt(199);
                    int two = 1 + random.nextInt(199);
                    if (random.nextBoolean()) {
                        graph.addEdge(one, two);
                    } else {
                        graph.removeEdge(one, two);
                    }
                }
            }));
        }
        try (Workers workers = new Workers(2)) {
            do {
                Neighbours cursor = graph.neighbours();
                for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
                    int before = -1;
                    for (int left = cursor.open(vertex); left > 0; left--) {
                        int neighbour = cursor.next();
                        assertTrue(neighbour > before && neighbour < 200, before + " " + neighbour);
                        before = neighbour;
                    }
                }
                assertEquals(200, new BreadthFirst(graph, workers).search(7).reachedCount());
                assertEquals(1, Components.of(graph, workers).count());
            } while (writers.stream().anyMatch(Thread::isAlive));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        graph.audit();
    }

    @Test
    void run_longerThanAnyFirstBuffer_isReadAndChanged() {
        for (RunForm form : RunForm.values()) {
            StoreGraph graph = StoreGraph.create(store, "star " + form, 9000, false, false, form);
            for (int vertex = 8999; vertex > 0; vertex -= 3) {
                graph.addEdge(0, vertex);
            }
            assertEquals(3000, graph.degree(0));
            assertTrue(graph.removeEdge(8999, 0));
            assertFalse(graph.removeEdge(0, 8999));
            graph.audit();
            int[] run = new int[2999];
            Neighbours cursor = graph.neighbours();
            assertEquals(run.length, cursor.open(0));
            cursor.next(run, run.length);
            assertEquals(2, run[0]);
            assertEquals(8996, run[2998]);
        }
    }

    @Test
    void properties_ofVerticesAndEdges_areKept() {
        StoreGraph graph = StoreGraph.create(store, "named", 10, false, false, RunForm.PLAIN);
        graph.addEdge(3, 4);
        VertexColumn<String> names = graph.column("name", Codecs.STRING);
        assertEquals(Optional.empty(), names.get(4));
        names.put(4, "four");
        assertEquals(Optional.of("four"), graph.column("name", Codecs.STRING).get(4));
        names.clear(4);
        assertEquals(Optional.empty(), names.get(4));
        assertThrows(IndexOutOfBoundsException.class, () -> names.get(10));
        graph.edgeProperty("since", Codecs.LONG).put(graph.edgeKey(4, 3), 1999L);
        assertEquals(1999L, graph.edgeProperty("since", Codecs.LONG).get(graph.edgeKey(3, 4)));
    }

    @Test
    void open_unknownName_isRefused() {
        assertThrows(NoSuchElementException.class, () -> StoreGraph.open(store, "unknown"));
        assertThrows(IndexOutOfBoundsException.class,
            () -> StoreGraph.create(store, "small", 2, true, false, RunForm.PLAIN).addEdge(0, 2));
        assertThrows(IllegalArgumentException.class,
            () -> StoreGraph.create(store, "small", 2, true, false, RunForm.PLAIN));
    }

    @Test
    void audit_edgeInOneRunOnly_isNamed() {
        StoreGraph graph = StoreGraph.create(store, "half", 10, false, false, RunForm.PLAIN);
        graph.addEdge(3, 4);
        graph.addEdge(3, 5);
        store.put(graph.cid(4), new byte[0]);
        assertThrows(IllegalStateException.class, graph::audit);
        graph.addEdge(3, 4);                                  // completes the change
        assertEquals(1, graph.degree(4));
        Adjacency same = graph.reversed();
        assertEquals(graph, same);
    }
}
