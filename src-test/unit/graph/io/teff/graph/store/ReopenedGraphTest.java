package io.teff.graph.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.schema.Codecs;
import io.teff.graph.EdgeList;
import io.teff.graph.kernel.BreadthFirst;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.recovery.DurableStore;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a graph in a durable store is there again after the store was closed and opened, and a load that was broken by
 * the close continues. Method: one store, opened several times.
 */
final class ReopenedGraphTest {
    private static final int VERTICES = 20_000;

    @TempDir
    Path folder;
    private final Workers workers = new Workers(2);

    @AfterEach
    void end() {
        workers.close();
    }

    @Test
    void graph_storeReopened_isFoundByName() throws IOException {
        EdgeList edges = EdgeList.random(Seed.random(1), 500, 1500, true, true);
        int[] levels;
        try (DurableStore durable = DurableStore.open(folder)) {
            StoreGraph graph = new GraphLoader(durable.store(), workers).form(RunForm.PACKED).load("kept", edges);
            graph.column("name", Codecs.STRING).put(7, "seven");
            levels = new BreadthFirst(graph, workers).search(0).levels();
        }
        try (DurableStore durable = DurableStore.open(folder)) {
            StoreGraph graph = StoreGraph.open(durable.store(), "kept");
            assertEquals(edges.runs(false), EdgeList.runsOf(graph));
            assertEquals(edges.runs(true), EdgeList.runsOf(graph.reversed()));
            assertArrayEquals(levels, new BreadthFirst(graph, workers).search(0).levels());
            assertEquals(Optional.of("seven"), graph.column("name", Codecs.STRING).get(7));
            graph.audit();
            graph.addEdge(0, 499, 2);
            durable.audit();
        }
        try (DurableStore durable = DurableStore.open(folder)) {
            assertEquals(2, EdgeList.runsOf(StoreGraph.open(durable.store(), "kept")).get(0).get(499));
        }
    }

    @Test
    void load_storeReopenedInBetween_continues() throws IOException {
        EdgeList edges = EdgeList.random(Seed.random(5), VERTICES, 3 * VERTICES, false, false);
        AtomicInteger sorted = new AtomicInteger();
        WorkWatch cancels = new WorkWatch() {
            @Override
            public boolean isCancelled() {
                return sorted.get() > 2;
            }

            @Override
            public void at(String step, long done, long total) {
                sorted.addAndGet(step.equals("sort") ? 1 : 0);
            }
        };
        try (DurableStore durable = DurableStore.open(folder)) {
            assertThrows(CancellationException.class,
                () -> new GraphLoader(durable.store(), workers).watch(cancels).load("broken", edges));
        }
        try (DurableStore durable = DurableStore.open(folder)) {
            StoreGraph graph = new GraphLoader(durable.store(), workers).load("broken", edges);
            assertEquals(edges.runs(false), EdgeList.runsOf(graph));
            graph.audit();
        }
    }
}
