package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.algorithms.ArrayGraph.Edge;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Triangles, clustering coefficients, cores and communities equal their definitions on small graphs. */
final class NeighbourhoodsTest {
    private static final double EXACT = 0;

    @Test
    void triangles_ofSmallGraphs_areAllTriples() {
        SmallGraphs.check(getClass(), 250, 80, (graph, teams, random) -> {
            boolean[][] edge = SmallGraphs.simple(graph);
            long expected = 0;
            for (int a = 0; a < edge.length; a++) {
                for (int b = a + 1; b < edge.length; b++) {
                    for (int c = b + 1; c < edge.length; c++) {
                        expected += edge[a][b] && edge[b][c] && edge[a][c] ? 1 : 0;
                    }
                }
            }
            long found = SmallGraphs.same(teams, team -> Triangles.count(graph, team));
            assertEquals(expected, found);
        });
    }

    @Test
    void coefficients_ofSmallGraphs_equalTheDefinition() {
        SmallGraphs.check(getClass(), 250, 25, (graph, teams, random) -> assertArrayEquals(
            clustering(graph), SmallGraphs.same(teams, team -> Clustering.coefficients(graph, team)), EXACT));
    }

    private static double[] clustering(ArrayGraph graph) {
        boolean[][] edge = SmallGraphs.simple(graph);
        int[][] arcs = SmallGraphs.matrix(graph);
        double[] expected = new double[edge.length];
        for (int vertex = 0; vertex < edge.length; vertex++) {
            long degree = 0;
            long among = 0;
            for (int a = 0; a < edge.length; a++) {
                degree += edge[vertex][a] ? 1 : 0;
                for (int b = 0; b < edge.length; b++) {
                    among += a != b && edge[vertex][a] && edge[vertex][b] && arcs[a][b] > 0 ? 1 : 0;
                }
            }
            expected[vertex] = degree < 2 ? 0 : (double) among / (degree * (degree - 1));
        }
        return expected;
    }

    @Test
    void cores_ofSmallGraphs_remainWhenVerticesOfFewNeighboursLeave() {
        SmallGraphs.check(getClass(), 250, 60, (graph, teams, random) -> assertArrayEquals(
            cores(SmallGraphs.simple(graph)), SmallGraphs.same(teams, team -> Cores.numbers(graph, team))));
    }

    private static int[] cores(boolean[][] edge) {
        int[] expected = new int[edge.length];
        for (int k = 1; k < edge.length; k++) {
            boolean[] left = new boolean[edge.length];
            Arrays.fill(left, true);
            for (boolean changed = true; changed;) {
                changed = false;
                for (int vertex = 0; vertex < edge.length; vertex++) {
                    int degree = 0;
                    for (int other = 0; other < edge.length; other++) {
                        degree += edge[vertex][other] && left[other] ? 1 : 0;
                    }
                    if (left[vertex] && degree < k) {
                        left[vertex] = false;
                        changed = true;
                    }
                }
            }
            for (int vertex = 0; vertex < edge.length; vertex++) {
                expected[vertex] = left[vertex] ? k : expected[vertex];
            }
        }
        return expected;
    }

    @Test
    void communities_ofSmallGraphs_equalTheDefinition() {
        SmallGraphs.check(getClass(), 250, 70, (graph, teams, random) -> {
            int rounds = random.nextInt(6);
            long[] first = new long[graph.vertexCount()];
            Arrays.setAll(first, vertex -> vertex);
            long[] expected = spread(graph, rounds, first);
            int[] labels = SmallGraphs.same(teams, team -> Communities.labels(graph, team, rounds));
            assertArrayEquals(expected, Arrays.stream(labels).asLongStream().toArray());
            long[] named = new long[graph.vertexCount()];
            Arrays.setAll(named, vertex -> random.nextLong(-20, 20) << 40);
            assertArrayEquals(spread(graph, rounds, named),
                SmallGraphs.same(teams, team -> Communities.labels(graph, team, rounds, named)));
        });
    }

    private static long[] spread(ArrayGraph graph, int rounds, long[] first) {
        int[][] arcs = SmallGraphs.matrix(graph);
        long[] labels = first;
        for (int round = 0; round < rounds; round++) {
            long[] next = labels.clone();
            for (int vertex = 0; vertex < labels.length; vertex++) {
                Map<Long, Integer> counts = new TreeMap<>();
                for (int other = 0; other < labels.length; other++) {
                    int count = arcs[vertex][other] + (graph.directed() ? arcs[other][vertex] : 0);
                    if (count > 0) {
                        counts.merge(labels[other], count, Integer::sum);
                    }
                }
                int most = 0;
                for (Map.Entry<Long, Integer> entry : counts.entrySet()) {
                    if (entry.getValue() > most) {
                        most = entry.getValue();
                        next[vertex] = entry.getKey();
                    }
                }
            }
            labels = next;
        }
        return labels;
    }

    /** The definitions of Graphalytics, with values of our own. */
    @Test
    void results_ofADirectedExample_areThoseOfTheDefinitions() {
        ArrayGraph graph = ArrayGraph.of(5, true, false, List.of(new Edge(0, 1, 1), new Edge(1, 2, 1),
            new Edge(2, 0, 1), new Edge(0, 2, 1), new Edge(3, 0, 1), new Edge(3, 1, 1)));
        try (Workers workers = new Workers(2)) {
            Team team = new Team(workers);
            // Vertex 0 has the neighbours 1, 2, 3 and the arcs 1-2 and 3-1 among them: 2 of 6.
            assertArrayEquals(new double[] {2 / 6.0, 3 / 6.0, 1 / 2.0, 1 / 2.0, 0},
                Clustering.coefficients(graph, team), EXACT);
            // Round 1: 0 hears 1, 2, 2, 3; 1 hears 0, 2, 3; 2 hears 1, 0, 0; 3 hears 0, 1; 4 hears nothing.
            assertArrayEquals(new int[] {2, 0, 0, 0, 4}, Communities.labels(graph, team, 1));
            assertArrayEquals(new int[] {0, 0, 2, 0, 4}, Communities.labels(graph, team, 2));
        }
    }

    @Test
    void results_ofAnUndirectedExample_areThoseOfTheDefinitions() {
        ArrayGraph graph = ArrayGraph.of(4, false, false, List.of(new Edge(0, 1, 1), new Edge(1, 2, 1),
            new Edge(0, 2, 1), new Edge(2, 3, 1)));
        try (Workers workers = new Workers(2)) {
            Team team = Team.ofSingleIndexes(workers);
            assertEquals(1, Triangles.count(graph, team));
            assertArrayEquals(new double[] {1, 1, 1 / 3.0, 0}, Clustering.coefficients(graph, team), EXACT);
            assertArrayEquals(new int[] {2, 2, 2, 1}, Cores.numbers(graph, team));
            assertArrayEquals(new int[] {0, 1, 2, 3}, Communities.labels(graph, team, 0));
            assertArrayEquals(new int[] {1, 0, 0, 2}, Communities.labels(graph, team, 1));
            assertArrayEquals(new int[] {0, 0, 0, 0}, Communities.labels(graph, team, 2));
        }
    }

    /** Two threads that take the last neighbour above the level from a vertex at the same time. */
    @Test
    void vertex_atTheLevel_isNotLoweredByALateThread() {
        int[] degrees = {5, 4, 3};
        assertFalse(Cores.lower(degrees, 0, 3));
        assertTrue(Cores.lower(degrees, 1, 3));
        assertFalse(Cores.lower(degrees, 1, 3));
        assertFalse(Cores.lower(degrees, 2, 3));
        assertArrayEquals(new int[] {4, 3, 3}, degrees);
    }
}
