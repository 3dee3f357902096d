package io.teff.graph.names;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.Neighbours;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Goal: searches and views follow exactly the arcs with the labels. Method: random graphs, levels by relaxation. */
final class LabelledSearchTest {
    private static final int ROUNDS = 60;
    private static final int VERTICES = 30;
    private static final long FIRST = 1;
    private static final long SECOND = 2;

    private static ListGraph random(SplittableRandom random, boolean isDirected) throws IOException {
        LabelledEdges.Builder builder = new LabelledEdges.Builder(isDirected);
        for (int i = random.nextInt(70); i > 0; i--) {
            builder.add(random.nextInt(VERTICES), random.nextInt(2), random.nextInt(VERTICES));
        }
        return ListGraph.of(builder.build(VERTICES));
    }

    /** Levels by repeated relaxation of all arcs. */
    private static int[] levels(ListGraph graph, int root, long along, long against) {
        int[] levels = new int[VERTICES];
        Arrays.fill(levels, VERTICES);
        levels[root] = 0;
        Neighbours cursor = graph.neighbours();
        for (int round = 0; round < VERTICES; round++) {
            for (int vertex = 0; vertex < VERTICES; vertex++) {
                for (int left = cursor.open(vertex); left > 0; left--) {
                    int target = cursor.next();
                    long set = (long) cursor.weight();
                    if ((set & along) != 0) {
                        levels[target] = Math.min(levels[target], levels[vertex] + 1);
                    }
                    if (graph.directed() && (set & against) != 0) {
                        levels[vertex] = Math.min(levels[vertex], levels[target] + 1);
                    }
                }
            }
        }
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            levels[vertex] = levels[vertex] == VERTICES ? -1 : levels[vertex];
        }
        return levels;
    }

    @Test
    void search_reachesWhatArcsWithTheLabelsReach() throws IOException {
        long[] sets = {LabelledSearch.NONE, FIRST, SECOND, FIRST | SECOND, LabelledSearch.ANY};
        long first = Seed.first();
        for (long seed = first; seed < first + ROUNDS; seed++) {
            SplittableRandom random = Seed.random(seed);
            ListGraph graph = random(random, random.nextBoolean());
            long along = sets[random.nextInt(sets.length)];
            long against = sets[random.nextInt(sets.length)];
            int root = random.nextInt(VERTICES);
            int[] expected = levels(graph, root, along, against);
            LabelledSearch search = LabelledSearch.from(graph, root, along, against, -1);
            int[] found = new int[VERTICES];
            Arrays.setAll(found, search::level);
            assertArrayEquals(expected, found, Seed.reproduce(getClass(), seed));
            assertEquals(Arrays.stream(expected).filter(it -> it >= 0).count(), search.reachedCount());
            assertEquals(search.reachedCount(), Arrays.stream(search.levelSizes()).sum());
            assertEquals(search.reachedCount(), search.order().length);
            for (int vertex = 0; vertex < VERTICES; vertex++) {
                int[] path = search.path(vertex);
                assertEquals(expected[vertex] + 1, path.length);
                if (path.length > 0) {
                    assertEquals(root, path[0]);
                    assertEquals(vertex, path[path.length - 1]);
                }
                LabelledSearch direct = LabelledSearch.from(graph, root, along, against, vertex);
                assertEquals(expected[vertex], direct.level(vertex));
            }
        }
    }

    @Test
    void view_hasTheArcsWithTheLabels_inBothDirections() throws IOException {
        SplittableRandom random = Seed.random(Seed.first());
        for (int round = 0; round < ROUNDS; round++) {
            ListGraph graph = random(random, round % 2 == 0);
            LabelledView view = LabelledView.of(graph, SECOND);
            long arcs = 0;
            Neighbours all = graph.neighbours();
            Neighbours some = view.neighbours();
            for (int vertex = 0; vertex < VERTICES; vertex++) {
                int left = some.open(vertex);
                assertEquals(left, view.degree(vertex));
                arcs += left;
                for (int other = all.open(vertex); other > 0; other--) {
                    int target = all.next();
                    if (((long) all.weight() & SECOND) != 0) {
                        assertTrue(left-- > 0);
                        assertEquals(target, some.next());
                        assertEquals(all.weight(), some.weight());
                    }
                }
                assertEquals(0, left);
            }
            assertEquals(arcs, view.arcCount());
            assertEquals(arcs, view.reversed().arcCount());
            assertEquals(view, view.reversed().reversed());
            assertEquals(graph.directed(), view.directed());
        }
    }
}
