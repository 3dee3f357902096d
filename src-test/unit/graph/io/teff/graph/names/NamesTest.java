package io.teff.graph.names;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: names and labels are found again, and parallel edges have sets of labels. Method: models on the heap. */
final class NamesTest {
    private final Store store = Store.open();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void names_haveDenseNumbersInTheOrderOfFirstUse() {
        VertexNames names = new VertexNames(store, "g");
        Map<String, Integer> model = new HashMap<>();
        SplittableRandom random = Seed.random(Seed.first());
        for (int i = 0; i < 2000; i++) {
            String name = "v" + random.nextInt(500);
            model.putIfAbsent(name, model.size());
            assertEquals(model.get(name), names.add(name));
        }
        assertEquals(model.size(), names.count());
        model.forEach((name, number) -> {
            assertEquals(number, names.find(name));
            assertEquals(name, names.name(number));
        });
        assertEquals(-1, names.find("w"));
        assertThrows(IndexOutOfBoundsException.class, () -> names.name(model.size()));
        names.audit();
        new VertexNames(store, "g").audit();
        assertEquals(model.size(), new VertexNames(store, "g").count());
        assertEquals(0, new VertexNames(store, "h").count());
    }

    @Test
    void nearest_isAnotherCaseOrTheShortestWithTheWord() {
        VertexNames names = new VertexNames(store, "g");
        List.of("libpng16-16t64", "libpng", "LibPNG-dev", "zlib").forEach(names::add);
        assertEquals("libpng", names.nearest("LIBPNG"));
        assertEquals("LibPNG-dev", names.nearest("png-"));
        assertEquals("", names.nearest("missing"));
    }

    @Test
    void audit_namesThatDisagree_areFound() {
        VertexNames names = new VertexNames(store, "g");
        names.add("a");
        store.longMap("g.names", String.class).set(0, "b");
        assertThrows(IllegalStateException.class, names::audit);
    }

    @Test
    void labels_areBits_alsoAfterTheyWereOpenedAgain() {
        EdgeLabels labels = new EdgeLabels(store, "g");
        assertEquals(0, labels.add("x"));
        assertEquals(1, labels.add("y"));
        assertEquals(0, labels.add("x"));
        EdgeLabels again = new EdgeLabels(store, "g");
        assertEquals(List.of("x", "y"), again.all());
        assertEquals(2, again.set(List.of("y")));
        assertEquals(List.of("x", "y"), again.of(3.0));
        String message = assertThrows(IllegalArgumentException.class, () -> again.set(List.of("z"))).getMessage();
        assertTrue(message.contains("labels: x, y"), message);
        for (int i = 2; i < EdgeLabels.COUNT_MAX; i++) {
            again.add("l" + i);
        }
        assertThrows(IllegalStateException.class, () -> again.add("more"));
        long all = again.set(again.all());
        assertEquals(all, (long) (double) all);
    }

    @Test
    void edges_areMergedAsInAModel() {
        for (boolean isDirected : new boolean[] {true, false}) {
            SplittableRandom random = Seed.random(Seed.first());
            LabelledEdges.Builder builder = new LabelledEdges.Builder(isDirected);
            Map<Long, Long> model = new HashMap<>();
            for (int i = 0; i < 5000; i++) {
                int source = random.nextInt(60);
                int target = random.nextInt(60);
                int label = random.nextInt(5) * 10;
                builder.add(source, label, target);
                boolean isSwapped = !isDirected && source > target;
                model.merge(isSwapped ? target * 100L + source : source * 100L + target, 1L << label, (a, b) -> a | b);
            }
            LabelledEdges edges = builder.build(60);
            assertEquals(model.size(), edges.edgeCount());
            List<Long> order = new ArrayList<>();
            for (int part = 0; part < edges.parts(); part++) {
                edges.read(part, (source, target, weight) -> {
                    assertEquals(model.get(source * 100 + target), (long) weight);
                    order.add(source * 100 + target);
                });
            }
            assertEquals(order.stream().sorted().toList(), order);
            assertEquals(5000, edges.givenCount(0) + edges.givenCount(10) + edges.givenCount(20)
                + edges.givenCount(30) + edges.givenCount(40));
            assertEquals(model.values().stream().filter(it -> (it >>> 10 & 1) != 0).count(), edges.distinctCount(10));
            assertEquals(0, edges.givenCount(5) + edges.givenCount(51));
        }
    }
}
