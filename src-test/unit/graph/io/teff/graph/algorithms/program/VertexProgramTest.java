package io.teff.graph.algorithms.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.graph.algorithms.ArrayGraph;
import io.teff.graph.algorithms.ArrayGraph.Edge;
import io.teff.graph.algorithms.ShortestPaths;
import io.teff.graph.algorithms.SmallGraphs;
import io.teff.graph.algorithms.Team;
import io.teff.graph.work.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Programs of vertices compute what references compute, with and without a combiner, equal for any threads. */
final class VertexProgramTest {
    private static final int SUPERSTEPS = 1000;

    @Test
    void labels_ofSmallGraphs_areTheSmallestThatReach() {
        SmallGraphs.check(getClass(), 150, 80, (graph, teams, random) -> {
            boolean[][] reach = SmallGraphs.reach(graph);
            int[] expected = new int[reach.length];
            Arrays.setAll(expected, vertex -> {
                int smallest = vertex;
                for (int other = 0; other < smallest; other++) {
                    smallest = reach[other][vertex] ? other : smallest;
                }
                return smallest;
            });
            assertArrayEquals(expected, SmallGraphs.same(teams,
                team -> ints(Supersteps.run(graph, team, new LabelSpreading(), SUPERSTEPS))));
            assertArrayEquals(expected, SmallGraphs.same(teams,
                team -> ints(Supersteps.run(graph, team, new Uncombined(new LabelSpreading()), SUPERSTEPS))));
        });
    }

    private static int[] ints(States states) {
        int[] ints = new int[states.vertexCount()];
        Arrays.setAll(ints, vertex -> states.getInt(vertex, 0));
        return ints;
    }

    /** A program whose messages are not combined. */
    private record Uncombined(VertexProgram program) implements VertexProgram {
        @Override
        public int stateBytes() {
            return program.stateBytes();
        }

        @Override
        public int messageBytes() {
            return program.messageBytes();
        }

        @Override
        public List<Aggregate> aggregates() {
            return program.aggregates();
        }

        @Override
        public void begin(int vertex, Packed state) {
            program.begin(vertex, state);
        }

        @Override
        public void compute(Vertex vertex) {
            program.compute(vertex);
        }
    }

    /** Rank by links with doubles, whose sums depend on their order; the ranks of vertices without arcs are shared. */
    private static final class Rank implements VertexProgram {
        private static final double DAMPING = 0.85;

        @Override
        public int stateBytes() {
            return Double.BYTES;
        }

        @Override
        public int messageBytes() {
            return Double.BYTES;
        }

        @Override
        public List<Aggregate> aggregates() {
            return List.of(Aggregate.SUM_DOUBLE, Aggregate.MAX_LONG, Aggregate.MIN_DOUBLE);
        }

        @Override
        public void begin(int vertex, Packed state) {
            state.putDouble(0, -1);
        }

        @Override
        public void compute(Vertex vertex) {
            double rank = 1.0 / vertex.vertexCount();
            if (vertex.superstep() > 0) {
                double sum = vertex.before().getDouble(0) / vertex.vertexCount();
                while (vertex.nextMessage()) {
                    sum += vertex.message().getDouble(0);
                }
                rank = (1 - DAMPING) / vertex.vertexCount() + DAMPING * sum;
            }
            vertex.state().putDouble(0, rank);
            if (vertex.degree() == 0) {
                vertex.aggregate(0, rank);
            }
            vertex.aggregate(1, (long) vertex.number());
            vertex.aggregate(2, rank);
            vertex.outgoing().putDouble(0, rank / vertex.degree());
            vertex.sendToNeighbours();
        }

        @Override
        public boolean combines() {
            return true;
        }

        @Override
        public void combine(Packed kept, Packed added) {
            kept.putDouble(0, kept.getDouble(0) + added.getDouble(0));
        }

        @Override
        public boolean ends(int superstep, Aggregates values) {
            assertEquals(0, (int) Math.max(0, values.getLong(1) - 1_000_000));
            return superstep == 10;
        }
    }

    @Test
    void ranks_ofSmallGraphs_areEqualBitByBit_andSumToOne() {
        SmallGraphs.check(getClass(), 100, 80, (graph, teams, random) -> {
            double[] ranks = SmallGraphs.same(teams, team -> {
                States states = Supersteps.run(graph, team, new Rank(), SUPERSTEPS);
                double[] all = new double[graph.vertexCount()];
                Arrays.setAll(all, vertex -> states.getDouble(vertex, 0));
                return all;
            });
            assertEquals(ranks.length == 0 ? 0 : 1, Arrays.stream(ranks).sum(), 1e-9);
        });
    }

    /** Shortest paths as in Pregel's paper: a message for each arc with its weight. */
    private record Paths(int source) implements VertexProgram {
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
            state.putDouble(0, Double.POSITIVE_INFINITY);
        }

        @Override
        public void compute(Vertex vertex) {
            double least = vertex.superstep() == 0 && vertex.number() == source ? 0 : Double.POSITIVE_INFINITY;
            while (vertex.nextMessage()) {
                least = Math.min(least, vertex.message().getDouble(0));
            }
            if (least < vertex.state().getDouble(0)) {
                vertex.state().putDouble(0, least);
                while (vertex.nextArc()) {
                    vertex.outgoing().putDouble(0, least + vertex.arcWeight());
                    vertex.send(vertex.arcTarget());
                }
            }
            vertex.halt();
        }
    }

    @Test
    void paths_ofSmallGraphs_equalDeltaStepping() {
        SmallGraphs.check(getClass(), 100, 60, (graph, teams, random) -> {
            if (graph.vertexCount() > 0) {
                int source = random.nextInt(graph.vertexCount());
                double[] lengths = SmallGraphs.same(teams, team -> {
                    States states = Supersteps.run(graph, team, new Paths(source), SUPERSTEPS);
                    double[] all = new double[graph.vertexCount()];
                    Arrays.setAll(all, vertex -> states.getDouble(vertex, 0));
                    return all;
                });
                assertArrayEquals(ShortestPaths.lengths(graph, teams[0], source), lengths);
            }
        });
    }

    @Test
    void messages_comeInTheOrderOfTheirSenders() {
        int count = 500;
        List<Edge> edges = new ArrayList<>();
        for (int vertex = 1; vertex < count; vertex++) {
            edges.add(new Edge(vertex, 0, 1));
        }
        ArrayGraph star = ArrayGraph.of(count, true, false, edges);
        try (Workers workers = new Workers(3)) {
            List<Integer> heard = new ArrayList<>();          // one vertex alone adds, so one thread
            Supersteps.run(star, new Team(workers), new VertexProgram() {
                @Override
                public int stateBytes() {
                    return 0;
                }

                @Override
                public int messageBytes() {
                    return Integer.BYTES;
                }

                @Override
                public void compute(Vertex vertex) {
                    while (vertex.nextMessage()) {
                        heard.add(vertex.message().getInt(0));
                    }
                    vertex.outgoing().putInt(0, vertex.number());
                    if (vertex.superstep() == 0) {
                        vertex.sendToNeighbours();
                    }
                    vertex.halt();
                }
            }, SUPERSTEPS);
            assertEquals(IntStream.range(1, count).boxed().toList(), heard);
        }
    }

    /** All halt at once but the first vertex, whose message wakes the second, which then goes on by itself. */
    private static final class Wake implements VertexProgram {
        static final int LAST = 5;

        @Override
        public int stateBytes() {
            return Integer.BYTES;
        }

        @Override
        public int messageBytes() {
            return 0;
        }

        @Override
        public List<Aggregate> aggregates() {
            return List.of(Aggregate.SUM_LONG);
        }

        @Override
        public void compute(Vertex vertex) {
            vertex.state().putInt(0, vertex.state().getInt(0) + 1);
            vertex.aggregate(0, 1);
            if (vertex.superstep() == 0) {
                vertex.sendToNeighbours();
                vertex.halt();
            }
        }

        @Override
        public boolean ends(int superstep, Aggregates values) {
            assertEquals(superstep == 0 ? 3 : 1, values.getLong(0));
            return superstep == LAST;
        }
    }

    @Test
    void vertex_wokenByAMessage_computesUntilTheProgramEnds() {
        ArrayGraph graph = ArrayGraph.of(3, true, false, List.of(new Edge(0, 1, 1)));
        try (Workers workers = new Workers(2)) {
            assertArrayEquals(new int[] {1, 1 + Wake.LAST, 1},
                ints(Supersteps.run(graph, new Team(workers), new Wake(), SUPERSTEPS)));
        }
    }

    @Test
    void wrongUse_isRefused() {
        ArrayGraph graph = ArrayGraph.of(1, true, false, List.of());
        try (Workers workers = new Workers(1)) {
            Team team = new Team(workers);
            assertThrows(IllegalArgumentException.class,
                () -> Supersteps.run(graph, team, new LabelSpreading(), -1));
            States states = Supersteps.run(graph, team, new LabelSpreading(), 1);
            assertThrows(IndexOutOfBoundsException.class, () -> states.getInt(1, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> states.getLong(0, 0));
        }
    }
}
