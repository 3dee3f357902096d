package io.teff.graph.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.graph.ClassEdges;
import io.teff.graph.EdgeList;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.builder.GraphTypeBuilder;
import org.jgrapht.traverse.BreadthFirstIterator;
import org.jgrapht.util.SupplierUtil;
import org.junit.jupiter.api.Test;

/**
 * Goal: levels, components and ranks are those of JGraphT. Method: random graphs, and the graph of the classes of
 * java.base.
 */
final class JGraphTTest {
    private static final int GRAPHS = Form.isLong() ? 2000 : 100;
    private static final int ROOTS = 16;

    @Test
    void kernels_randomGraphs_agreeWithJGraphT() throws IOException {
        for (long seed = Seed.first(); seed < Seed.first() + GRAPHS; seed++) {
            SplittableRandom random = Seed.random(seed);
            compare(EdgeList.random(random, random.nextBoolean(), false), random,
                Seed.reproduce(JGraphTTest.class, seed));
        }
    }

    @Test
    void kernels_classesOfTheJdk_agreeWithJGraphT() throws IOException {
        EdgeList classes = ClassEdges.ofModule("java.base");
        compare(classes, Seed.random(1), "classes");
    }

    private static void compare(EdgeList edges, SplittableRandom random, String text) throws IOException {
        Graph<Integer, DefaultEdge> other = (edges.directed() ? GraphTypeBuilder.<Integer, DefaultEdge>directed()
            : GraphTypeBuilder.<Integer, DefaultEdge>undirected()).allowingSelfLoops(false)
            .edgeSupplier(SupplierUtil.createDefaultEdgeSupplier()).buildGraph();
        List<TreeMap<Integer, Double>> runs = edges.runs(false);
        for (int vertex = 0; vertex < edges.vertices(); vertex++) {
            other.addVertex(vertex);
        }
        for (int vertex = 0; vertex < edges.vertices(); vertex++) {
            for (int neighbour : runs.get(vertex).keySet()) {
                other.addEdge(vertex, neighbour);             // ignored if it is there
            }
        }
        try (Workers workers = new Workers(2)) {
            FrozenGraph graph = FrozenGraph.load(edges, LoadOptions.DEFAULT, workers, WorkWatch.NONE);
            for (int i = 0; i < ROOTS; i++) {
                int root = random.nextInt(edges.vertices());
                ParentTree tree = new BreadthFirst(graph, workers).search(root);
                new BfsValidation(graph, workers).check(tree).orThrow();
                int[] levels = tree.levels();
                int reached = 0;
                BreadthFirstIterator<Integer, DefaultEdge> search = new BreadthFirstIterator<>(other, root);
                while (search.hasNext()) {
                    int vertex = search.next();
                    assertEquals(search.getDepth(vertex), levels[vertex], text);
                    reached++;
                }
                assertEquals(reached, tree.reachedCount(), text);
            }
            Components components = Components.of(graph, workers);
            ConnectivityInspector<Integer, DefaultEdge> inspector = new ConnectivityInspector<>(other);
            assertEquals(inspector.connectedSets().size(), components.count(), text);
            inspector.connectedSets().forEach(set -> assertEquals(1,
                set.stream().mapToInt(components::component).distinct().count(), text));
            ranks(edges, other, graph, workers, text);
        }
    }

    private static void ranks(EdgeList edges, Graph<Integer, DefaultEdge> other, FrozenGraph graph, Workers workers,
                              String text) {
        int rounds = 30;
        PageRank ours = PageRank.ldbc(graph, rounds, PageRank.DAMPING, workers, WorkWatch.NONE);
        org.jgrapht.alg.scoring.PageRank<Integer, DefaultEdge> theirs = new org.jgrapht.alg.scoring.PageRank<>(other,
            PageRank.DAMPING, rounds, Double.MIN_VALUE);
        for (int vertex = 0; vertex < edges.vertices(); vertex++) {
            assertEquals(theirs.getVertexScore(vertex), ours.score(vertex), 1e-9, text);
        }
    }
}
