package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Strong components, topological levels and betweenness equal their definitions on small graphs. */
final class OrdersTest {
    private static final double TOLERANCE = 1e-9;

    @Test
    void components_ofSmallGraphs_reachEachOther() {
        SmallGraphs.check(getClass(), 300, 40, (graph, teams, random) -> {
            boolean[][] reach = SmallGraphs.reach(graph);
            int[] expected = components(reach);
            int[] found = SmallGraphs.same(teams, team -> StrongComponents.of(graph, team).components());
            assertArrayEquals(expected, found);
            StrongComponents components = StrongComponents.of(graph, teams[1]);
            assertEquals(Arrays.stream(expected).distinct().count(), components.count());
            List<int[]> cycles = Arrays.stream(expected).distinct().mapToObj(head -> IntStream
                .range(0, expected.length).filter(vertex -> expected[vertex] == head).toArray())
                .filter(cycle -> cycle.length > 1).sorted(Comparator.<int[]>comparingInt(cycle -> -cycle.length)
                .thenComparingInt(cycle -> cycle[0])).toList();
            assertArrayEquals(cycles.toArray(), components.cycles().toArray());
        });
    }

    private static int[] components(boolean[][] reach) {
        int[] expected = new int[reach.length];
        Arrays.setAll(expected, vertex -> IntStream.range(0, reach.length)
            .filter(other -> reach[vertex][other] && reach[other][vertex]).min().getAsInt());
        return expected;
    }

    @Test
    void levels_ofSmallGraphs_areLongestPathsOfComponents() {
        SmallGraphs.check(getClass(), 250, 40, (graph, teams, random) -> {
            boolean[][] reach = SmallGraphs.reach(graph);
            int[] expected = new int[reach.length];
            for (boolean changed = true; changed;) {
                changed = false;
                for (int u = 0; u < expected.length; u++) {
                    for (int v = 0; v < expected.length; v++) {
                        if (reach[u][v] && !reach[v][u] && expected[v] <= expected[u]) {
                            expected[v] = expected[u] + 1;
                            changed = true;
                        }
                    }
                }
            }
            assertArrayEquals(expected, SmallGraphs.same(teams,
                team -> Levels.of(graph, StrongComponents.of(graph, team), team)));
        });
    }

    @Test
    void betweenness_ofSmallGraphs_equalsTheDefinition() {
        SmallGraphs.check(getClass(), 200, 22, (graph, teams, random) -> {
            double[] expected = betweenness(graph);
            double[] exact = SmallGraphs.same(teams, team -> Betweenness.exact(graph, team));
            assertArrayEquals(expected, exact, TOLERANCE * (1 + Arrays.stream(expected).max().orElse(0)));
            long seed = random.nextLong();
            int roots = 1 + random.nextInt(5);
            SmallGraphs.same(teams, team -> Betweenness.sampled(graph, team, roots, seed));
            assertArrayEquals(exact, Betweenness.sampled(graph, teams[0], graph.vertexCount() + 1, seed));
        });
    }

    /** Lengths and numbers of shortest paths of all pairs, then each triple. */
    private static double[] betweenness(ArrayGraph graph) {
        int[][] arcs = SmallGraphs.matrix(graph);
        int count = arcs.length;
        int[][] lengths = new int[count][count];
        double[][] paths = new double[count][count];
        for (int s = 0; s < count; s++) {
            Arrays.fill(lengths[s], count);
            lengths[s][s] = 0;
            paths[s][s] = 1;
            for (int length = 0; length < count; length++) {
                for (int u = 0; u < count; u++) {
                    for (int v = 0; v < count && lengths[s][u] == length; v++) {
                        if (u != v && arcs[u][v] > 0 && lengths[s][v] > length) {
                            lengths[s][v] = length + 1;
                            paths[s][v] += paths[s][u] * arcs[u][v];
                        }
                    }
                }
            }
        }
        double[] expected = new double[count];
        for (int s = 0; s < count; s++) {
            for (int t = 0; t < count; t++) {
                for (int v = 0; v < count; v++) {
                    if (s != t && s != v && t != v && lengths[s][t] < count
                            && lengths[s][v] + lengths[v][t] == lengths[s][t]) {
                        expected[v] += paths[s][v] * paths[v][t] / paths[s][t] / (graph.directed() ? 1 : 2);
                    }
                }
            }
        }
        return expected;
    }
}
