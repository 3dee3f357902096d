package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.graph.Neighbours;
import io.teff.graph.algorithms.ArrayGraph.Edge;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shortest paths equal those of Bellman and Ford bit by bit, for each delta and number of threads. */
final class ShortestPathsTest {
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    @Test
    void lengths_ofSmallGraphs_equalBellmanFord() {
        SmallGraphs.check(getClass(), 300, 40, (graph, teams, random) -> {
            if (graph.vertexCount() == 0) {
                return;
            }
            int source = random.nextInt(graph.vertexCount());
            double[] expected = bellmanFord(graph, source);
            double delta = Math.pow(10, random.nextInt(-9, 10)) * (1 + random.nextDouble());
            assertArrayEquals(expected, SmallGraphs.same(teams, team -> ShortestPaths.lengths(graph, team, source)));
            assertArrayEquals(expected, SmallGraphs.same(teams,
                team -> ShortestPaths.lengths(graph, team, source, delta)));
        });
    }

    private static double[] bellmanFord(ArrayGraph graph, int source) {
        double[] lengths = new double[graph.vertexCount()];
        Arrays.fill(lengths, INFINITY);
        lengths[source] = 0;
        Neighbours cursor = graph.neighbours();
        for (boolean changed = true; changed;) {
            changed = false;
            for (int vertex = 0; vertex < lengths.length; vertex++) {
                for (int left = cursor.open(vertex); left > 0; left--) {
                    int next = cursor.next();
                    if (lengths[vertex] + cursor.weight() < lengths[next]) {
                        lengths[next] = lengths[vertex] + cursor.weight();
                        changed = true;
                    }
                }
            }
        }
        return lengths;
    }

    /** The definition of Graphalytics, with values of our own: weights of arcs, infinity without a path. */
    @Test
    void lengths_ofAnExample_areThoseOfTheDefinition() {
        ArrayGraph graph = ArrayGraph.of(6, true, true, List.of(new Edge(0, 1, 0.5), new Edge(0, 2, 2),
            new Edge(1, 2, 0.75), new Edge(2, 3, 0), new Edge(3, 0, 1), new Edge(4, 3, 1), new Edge(4, 5, 1)));
        try (Workers workers = new Workers(2)) {
            Team team = new Team(workers);
            assertArrayEquals(new double[] {0, 0.5, 1.25, 1.25, INFINITY, INFINITY},
                ShortestPaths.lengths(graph, team, 0));
            assertArrayEquals(new double[] {2, 2.5, 3.25, 1, 0, 1}, ShortestPaths.lengths(graph, team, 4));
        }
    }

    /** Lengths of exactly one window of buckets, and of some more and less. */
    @Test
    void lengths_atTheEdgeOfTheWindow_areFound() {
        for (int weight = ShortestPaths.WINDOW - 2; weight <= ShortestPaths.WINDOW + 2; weight++) {
            ArrayGraph graph = ArrayGraph.of(5, true, true, List.of(new Edge(0, 1, weight), new Edge(0, 2, 2 * weight),
                new Edge(1, 3, weight + 1), new Edge(3, 4, 3 * weight)));
            try (Workers workers = new Workers(2)) {
                assertArrayEquals(new double[] {0, weight, 2 * weight, 2 * weight + 1, 5 * weight + 1},
                    ShortestPaths.lengths(graph, Team.ofSingleIndexes(workers), 0, 1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void lengths_withAWeightThatIsNone_areRefused(double weight) {
        ArrayGraph graph = ArrayGraph.of(3, true, true, List.of(new Edge(0, 1, 1), new Edge(1, 2, weight)));
        try (Workers workers = new Workers(2)) {
            Team team = new Team(workers);
            assertThrows(IllegalArgumentException.class, () -> ShortestPaths.lengths(graph, team, 0, 1));
            assertArrayEquals(new double[] {INFINITY, INFINITY, 0}, ShortestPaths.lengths(graph, team, 2, 1));
        }
    }

    @Test
    void lengths_beyondTheGreatestDouble_areAnError() {
        double half = Double.MAX_VALUE / 4 * 3;
        List<Edge> path = List.of(new Edge(0, 1, half), new Edge(1, 2, half));
        ArrayGraph graph = ArrayGraph.of(3, true, true, path);
        ArrayGraph around = ArrayGraph.of(3, true, true, List.of(path.get(0), path.get(1), new Edge(0, 2, 7)));
        try (Workers workers = new Workers(1)) {
            Team team = new Team(workers);
            assertThrows(ArithmeticException.class, () -> ShortestPaths.lengths(graph, team, 0));
            assertArrayEquals(new double[] {0, half, 7}, ShortestPaths.lengths(around, team, 0));
            assertArrayEquals(new double[] {0, half, 7}, ShortestPaths.lengths(around, team, 0, 1e-300));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void delta_thatIsNoWidth_isRefused(double delta) {
        ArrayGraph graph = ArrayGraph.of(1, true, true, List.of());
        try (Workers workers = new Workers(1)) {
            Team team = new Team(workers);
            assertThrows(IllegalArgumentException.class, () -> ShortestPaths.lengths(graph, team, 0, delta));
            assertThrows(IndexOutOfBoundsException.class, () -> ShortestPaths.lengths(graph, team, 1));
        }
    }
}
