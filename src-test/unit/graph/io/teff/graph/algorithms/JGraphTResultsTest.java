package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jgrapht.Graph;
import org.jgrapht.alg.clique.DegeneracyBronKerboschCliqueFinder;
import org.jgrapht.alg.connectivity.KosarajuStrongConnectivityInspector;
import org.jgrapht.alg.interfaces.ShortestPathAlgorithm.SingleSourcePaths;
import org.jgrapht.alg.scoring.BetweennessCentrality;
import org.jgrapht.alg.scoring.ClusteringCoefficient;
import org.jgrapht.alg.scoring.Coreness;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.graph.AsUnmodifiableGraph;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results equal those of JGraphT: on random graphs of some hundred vertices, and on the graph of the JDK's classes. */
final class JGraphTResultsTest {
    private static final double TOLERANCE = 1e-9;
    private static final int VERTICES = 150;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void results_ofRandomGraphs_equalThoseOfJGraphT(int number) {
        long seed = Seed.first() + number;
        SplittableRandom random = Seed.random(seed);
        ArrayGraph graph = RandomGraphs.uniform(random, 1 + random.nextInt(VERTICES), random.nextInt(1500),
            random.nextBoolean());
        compare(Seed.reproduce(getClass(), seed), graph, true);
    }

    @Test
    void results_ofTheClassGraph_equalThoseOfJGraphT() {
        compare("java.util.concurrent", JdkClasses.graph("java/util/concurrent/"), true);
    }

    @Test
    @FullTier("a larger class graph, 20 s of JGraphT; results_ofTheClassGraph_equalThoseOfJGraphT has a smaller one")
    void results_ofALargerClassGraph_equalThoseOfJGraphT() {
        compare("java.util", JdkClasses.graph("java/util/"), true);
        compare("java", JdkClasses.graph("java/"), false);
    }

    private static void compare(String message, ArrayGraph graph, boolean all) {
        Graph<Integer, DefaultWeightedEdge> other = other(graph, graph.directed());
        Graph<Integer, DefaultWeightedEdge> simple = other(graph, false);
        try (Workers workers = new Workers(2)) {
            Team team = new Team(workers);
            assertArrayEquals(lengths(other), ShortestPaths.lengths(graph, team, 0), TOLERANCE, message);
            assertEquals(triangles(simple), Triangles.count(graph, team), message);
            assertArrayEquals(Arrays.stream(doubles(new Coreness<>(simple).getScores())).mapToInt(it -> (int) it)
                .toArray(), Cores.numbers(graph, team), message);
            if (!graph.directed()) {
                assertArrayEquals(doubles(new ClusteringCoefficient<>(other).getScores()),
                    Clustering.coefficients(graph, team), TOLERANCE, message);
            } else {
                assertArrayEquals(components(other), StrongComponents.of(graph, team).components(), message);
            }
            if (all) {
                double[] expected = doubles(new BetweennessCentrality<>(unweighted(other)).getScores());
                assertArrayEquals(expected, Betweenness.exact(graph, team),
                    TOLERANCE * (1 + Arrays.stream(expected).max().orElse(0)), message);
                assertEquals(cliques(simple), cliques(graph, team), message);
            }
        }
    }

    private static Graph<Integer, DefaultWeightedEdge> other(ArrayGraph graph, boolean directed) {
        Graph<Integer, DefaultWeightedEdge> other = directed
            ? new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class)
            : new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            other.addVertex(vertex);
        }
        Neighbours cursor = graph.neighbours();
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            for (int left = cursor.open(vertex); left > 0; left--) {
                int next = cursor.next();
                if (next != vertex && !other.containsEdge(vertex, next)) {
                    other.setEdgeWeight(other.addEdge(vertex, next), cursor.weight());
                }
            }
        }
        return other;
    }

    /** JGraphT's betweenness takes weights as lengths unless the graph has none. */
    private static Graph<Integer, DefaultWeightedEdge> unweighted(Graph<Integer, DefaultWeightedEdge> graph) {
        for (DefaultWeightedEdge edge : graph.edgeSet()) {
            graph.setEdgeWeight(edge, 1);
        }
        return new AsUnmodifiableGraph<>(graph);
    }

    private static double[] doubles(Map<Integer, ? extends Number> scores) {
        double[] doubles = new double[scores.size()];
        scores.forEach((vertex, score) -> doubles[vertex] = score.doubleValue());
        return doubles;
    }

    /** JGraphT's own count, GraphMetrics, finds a triangle too many among the classes of java.util. */
    private static long triangles(Graph<Integer, DefaultWeightedEdge> graph) {
        double corners = 0;
        for (Map.Entry<Integer, Double> score : new ClusteringCoefficient<>(graph).getScores().entrySet()) {
            long degree = graph.degreeOf(score.getKey());
            corners += Math.round(score.getValue() * degree * (degree - 1) / 2);
        }
        return Math.round(corners) / 3;
    }

    private static double[] lengths(Graph<Integer, DefaultWeightedEdge> graph) {
        SingleSourcePaths<Integer, DefaultWeightedEdge> paths = new DijkstraShortestPath<>(graph).getPaths(0);
        double[] lengths = new double[graph.vertexSet().size()];
        Arrays.setAll(lengths, paths::getWeight);
        return lengths;
    }

    private static int[] components(Graph<Integer, DefaultWeightedEdge> graph) {
        int[] components = new int[graph.vertexSet().size()];
        for (Set<Integer> set : new KosarajuStrongConnectivityInspector<>(graph).stronglyConnectedSets()) {
            int smallest = Collections.min(set);
            set.forEach(vertex -> components[vertex] = smallest);
        }
        return components;
    }

    private static Set<String> cliques(Graph<Integer, DefaultWeightedEdge> graph) {
        Set<String> cliques = new TreeSet<>();
        for (Set<Integer> clique : new DegeneracyBronKerboschCliqueFinder<>(graph)) {
            cliques.add(new TreeSet<>(clique).toString());
        }
        return cliques;
    }

    private static Set<String> cliques(ArrayGraph graph, Team team) {
        Set<String> cliques = new ConcurrentSkipListSet<>();
        Cliques.list(graph, team, (members, size) -> cliques.add(Arrays.toString(Arrays.copyOf(members, size))));
        return cliques;
    }
}
