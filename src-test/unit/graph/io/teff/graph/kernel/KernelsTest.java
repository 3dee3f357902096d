package io.teff.graph.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.graph.Adjacency;
import io.teff.graph.EdgeList;
import io.teff.graph.GraphForms;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/**
 * Goal: search, components and ranks are right on each form of a graph. Method: random graphs, with and without
 * directions and weights; each answer is compared with the one of a short algorithm over the list of edges, and each
 * tree passes the rules of Graph500.
 */
final class KernelsTest {
    private static final int GRAPHS = Form.isLong() ? 5000 : 400;
    private static final double EXACT = 1e-12;
    private static final double NARROW = 1e-6;

    @Test
    void kernels_randomGraphs_agreeWithShortAlgorithms() throws IOException {
        long first = Seed.first();
        try (GraphForms forms = new GraphForms()) {
            for (long seed = first; seed < first + GRAPHS; seed++) {
                SplittableRandom random = Seed.random(seed);
                EdgeList edges = EdgeList.random(random, random.nextBoolean(), random.nextInt(4) == 0);
                LoadOptions options = LoadOptions.DEFAULT.withReverse(random.nextInt(3) > 0).withSortBytes(
                    1L << random.nextInt(10, 24));
                int root = random.nextInt(edges.vertices());
                for (Adjacency graph : forms.all(edges, options)) {
                    for (Workers workers : forms.workers()) {
                        String text = Seed.reproduce(KernelsTest.class, seed) + " " + graph;
                        search(edges, graph, root, workers, text);
                        components(edges, graph, workers, text);
                        if (!edges.directed() || options.reverse()) {
                            ranks(edges, graph, workers, text);
                        }
                    }
                }
            }
        }
    }

    private static void search(EdgeList edges, Adjacency graph, int root, Workers workers, String text) {
        ParentTree tree = new BreadthFirst(graph, workers).search(root);
        assertArrayEquals(edges.levels(root), tree.levels(), text);
        BfsValidation.Result result = new BfsValidation(graph, workers).check(tree);
        assertEquals(List.of(), result.violations(), text);
        assertEquals(tree.reachedCount(), result.reachedCount(), text);
    }

    private static void components(EdgeList edges, Adjacency graph, Workers workers, String text) {
        Components components = Components.of(graph, workers);
        int[] expected = edges.components();
        for (int vertex = 0; vertex < expected.length; vertex++) {
            assertEquals(expected[vertex], components.component(vertex), text);
        }
        assertEquals(Arrays.stream(expected).distinct().count(), components.count(), text);
        assertEquals(expected.length, Arrays.stream(components.sizes()).sum(), text);
    }

    private static void ranks(EdgeList edges, Adjacency graph, Workers workers, String text) {
        double[] spread = edges.ranks(7, 0.8, true);
        PageRank ldbc = PageRank.ldbc(graph, 7, 0.8, workers, WorkWatch.NONE);
        double[] plain = edges.ranks(5, PageRank.DAMPING, false);
        PageRank gap = PageRank.gap(graph, 5, 0, workers, WorkWatch.NONE);
        double sum = 0;
        for (int vertex = 0; vertex < spread.length; vertex++) {
            assertEquals(spread[vertex], ldbc.score(vertex), EXACT, text);
            assertEquals(plain[vertex], gap.score(vertex), NARROW, text);
            sum += ldbc.score(vertex);
        }
        assertEquals(1, sum, EXACT, text);
    }

    @Test
    void rank_tolerance_endsEarlierThanAllRounds() throws IOException {
        try (GraphForms forms = new GraphForms()) {
            EdgeList edges = EdgeList.random(Seed.random(1), 200, 900, false, false);
            Adjacency graph = forms.all(edges, LoadOptions.DEFAULT).getFirst();
            PageRank rank = PageRank.gap(graph, 100, 1e-4, forms.workers().getFirst(), WorkWatch.NONE);
            assertEquals(true, rank.rounds() < 50 && rank.change() < 1e-4, rank.rounds() + " rounds");
            int[] top = rank.top(3);
            for (int vertex = 0; vertex < edges.vertices(); vertex++) {
                assertEquals(true, rank.score(vertex) <= rank.score(top[2]) || vertex == top[0] || vertex == top[1]);
            }
        }
    }

    @Test
    void kernels_cancelled_end() throws IOException {
        try (GraphForms forms = new GraphForms()) {
            WorkWatch cancelled = new WorkWatch() {
                @Override
                public boolean isCancelled() {
                    return true;
                }
            };
            EdgeList edges = EdgeList.random(Seed.random(1), 200, 900, false, false);
            for (Adjacency graph : forms.all(edges, LoadOptions.DEFAULT)) {
                Workers workers = forms.workers().get(1);
                assertThrows(CancellationException.class, () -> new BreadthFirst(graph, workers).search(0, cancelled));
                assertThrows(CancellationException.class, () -> Components.of(graph, workers, cancelled));
                assertThrows(CancellationException.class, () -> PageRank.gap(graph, 3, 0, workers, cancelled));
                assertEquals(true, new BreadthFirst(graph, workers).search(0).isReached(0));
            }
        }
    }
}
