package io.teff.graph.algorithms.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.graph.algorithms.ArrayGraph;
import io.teff.graph.algorithms.ShortestPaths;
import io.teff.graph.algorithms.SmallGraphs;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Programs of frontiers compute what references compute, in both directions, equal for any threads. */
final class FrontierProgramTest {
    private static final int ROUNDS = 1000;

    @Test
    void depths_ofSmallGraphs_areThoseOfASearch() {
        SmallGraphs.check(getClass(), 200, 80, (graph, teams, random) -> {
            if (graph.vertexCount() > 0) {
                int root = random.nextInt(graph.vertexCount());
                Frontier first = Frontier.of(graph.vertexCount(), root);
                int[] expected = depths(graph, root);
                assertArrayEquals(expected, SmallGraphs.same(teams, team -> {
                    Rounds rounds = new Rounds(graph, team, new ReachDepth());
                    Frontier frontier = rounds.vertexMap(first, (vertex, state) -> {
                        state.putInt(0, 1);
                        return true;
                    });
                    for (int depth = 1; !frontier.isEmpty(); depth++) {
                        int now = depth;
                        assertEquals(IntStream.of(expected).filter(it -> it == now).count(), frontier.size());
                        frontier = rounds.edgeMap(frontier);
                    }
                    int[] found = new int[graph.vertexCount()];
                    Arrays.setAll(found, vertex -> rounds.states().getInt(vertex, 0));
                    return found;
                }));
            }
        });
    }

    /** Depth + 1 of each vertex, 0 if no path leads to the vertex. */
    private static int[] depths(ArrayGraph graph, int root) {
        int[][] arcs = SmallGraphs.matrix(graph);
        int[] depths = new int[arcs.length];
        depths[root] = 1;
        for (int depth = 1; depth <= arcs.length; depth++) {
            for (int u = 0; u < arcs.length; u++) {
                for (int v = 0; v < arcs.length && depths[u] == depth; v++) {
                    depths[v] = arcs[u][v] > 0 && depths[v] == 0 ? depth + 1 : depths[v];
                }
            }
        }
        return depths;
    }

    /** Bellman and Ford: a vertex whose length has become less is in the next frontier. */
    private static final class Lengths implements FrontierProgram {
        @Override
        public int stateBytes() {
            return Double.BYTES;
        }

        @Override
        public int messageBytes() {
            return Double.BYTES;
        }

        @Override
        public void begin(int vertex, Packed state) {
            state.putDouble(0, vertex == 0 ? 0 : Double.POSITIVE_INFINITY);
        }

        @Override
        public void signal(int source, Packed state, Packed message) {
            message.copy(state);
        }

        @Override
        public boolean receive(int target, Packed state, Packed message, double weight) {
            double sum = message.getDouble(0) + weight;
            boolean isLess = sum < state.getDouble(0);
            state.putDouble(0, Math.min(sum, state.getDouble(0)));
            return isLess;
        }
    }

    @Test
    void lengths_ofSmallGraphs_equalDeltaStepping() {
        SmallGraphs.check(getClass(), 200, 60, (graph, teams, random) -> {
            if (graph.vertexCount() > 0) {
                Frontier first = Frontier.of(graph.vertexCount(), 0);
                double[] found = SmallGraphs.same(teams, team -> {
                    States states = Rounds.run(graph, team, new Lengths(), first, ROUNDS);
                    double[] all = new double[graph.vertexCount()];
                    Arrays.setAll(all, vertex -> states.getDouble(vertex, 0));
                    return all;
                });
                assertArrayEquals(ShortestPaths.lengths(graph, teams[0], 0), found);
                States asVertices = Supersteps.run(graph, teams[0], new FrontierVertices(new Lengths(), first,
                    graph.weighted()), ROUNDS);
                Arrays.setAll(found, vertex -> asVertices.getDouble(vertex, 0));
                assertArrayEquals(ShortestPaths.lengths(graph, teams[0], 0), found);
            }
        });
    }

    @Test
    void frontier_ofMembers_knowsThem() {
        Frontier frontier = Frontier.of(130, 129, 0, 64);
        assertArrayEquals(new int[] {0, 64, 129}, frontier.members());
        assertEquals(3, frontier.size());
        assertEquals(Frontier.where(130, vertex -> vertex % 64 == 0).size(), 3);
    }
}
