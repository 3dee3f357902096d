package io.teff.graph.algorithms;

import io.teff.graph.Neighbours;
import io.teff.graph.algorithms.ArrayGraph.Edge;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Assertions;

/**
 * Small random graphs by seed: empty, one vertex, paths, stars, cliques, circles, trees, and random ones of each
 * density; directed or not, with weights or not, some with loops and repeated edges, some in parts.
 */
public final class SmallGraphs {
    private static final int FULL_FACTOR = 20;
    private static final int KINDS = 9;

    private SmallGraphs() {}

    /** A check of one graph with teams of one, two and three threads; more threads share each single vertex. */
    @FunctionalInterface
    public interface Check {
        /** Checks one graph; the message of a failure gets the line that repeats it. */
        void run(ArrayGraph graph, Team[] teams, SplittableRandom random) throws Exception;
    }

    /** Runs a check with many graphs. */
    public static void check(Class<?> test, int count, int vertexMax, Check check) {
        boolean full = Boolean.getBoolean("teff.full");
        try (Workers one = new Workers(1); Workers two = new Workers(2); Workers three = new Workers(3)) {
            Team[] teams = {new Team(one), Team.ofSingleIndexes(two), Team.ofSingleIndexes(three)};
            long first = Seed.first();
            boolean single = System.getProperty("seed") != null;
            long seeds = single ? 1 : full ? (long) count * FULL_FACTOR : count;
            for (long seed = first; seed < first + seeds; seed++) {
                try {
                    SplittableRandom random = Seed.random(seed);
                    check.run(graph(random, vertexMax), teams, random);
                } catch (Throwable t) {
                    throw new AssertionError(Seed.reproduce(test, seed) + ": " + t, t);
                }
            }
        }
    }

    /** Asserts that each team computes a result equal to that of the first team, and returns the result. */
    public static <T> T same(Team[] teams, Function<Team, T> algorithm) {
        T first = algorithm.apply(teams[0]);
        for (Team team : teams) {
            T other = algorithm.apply(team);
            Assertions.assertTrue(Arrays.deepEquals(new Object[] {first}, new Object[] {other}),
                () -> team.threads() + " threads: " + text(other) + ", one thread: " + text(first));
        }
        return first;
    }

    private static String text(Object result) {
        return Arrays.deepToString(new Object[] {result});
    }

    /** The next graph of a source of numbers. */
    public static ArrayGraph graph(SplittableRandom random, int vertexMax) {
        int kind = random.nextInt(KINDS + 1);
        int count = kind == 0 ? random.nextInt(3) : random.nextInt(1, vertexMax + 1);
        boolean directed = random.nextBoolean();
        boolean weighted = random.nextBoolean();
        boolean raw = random.nextInt(4) == 0;
        List<Edge> edges = new ArrayList<>();
        int weights = random.nextInt(4);
        double density = Math.pow(random.nextDouble(), 2);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                boolean isEdge = switch (kind) {
                    case 1 -> j == i + 1;
                    case 2 -> j == 0;
                    case 3 -> true;
                    case 4 -> j == (i + 1) % count;
                    case 5 -> j == i / 2;
                    case 6 -> i / 5 == j / 5 && random.nextDouble() < density;
                    default -> random.nextDouble() < density;
                };
                if (isEdge && (raw || i != j) && (directed || raw || i < j || kind == 2 || kind == 5)) {
                    edges.add(new Edge(i, j, weight(random, weights)));
                    if (raw && random.nextInt(8) == 0) {
                        edges.add(new Edge(i, j, weight(random, weights)));
                    }
                }
            }
        }
        return ArrayGraph.of(count, directed, weighted, edges);
    }

    private static double weight(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(4);
            case 1 -> random.nextDouble();
            case 2 -> 1 + random.nextInt(255);
            default -> Math.pow(10, random.nextInt(-12, 12)) * random.nextDouble();
        };
    }

    /** Number of arcs from each vertex to each other, loops included. */
    public static int[][] matrix(ArrayGraph graph) {
        int[][] matrix = new int[graph.vertexCount()][graph.vertexCount()];
        Neighbours cursor = graph.neighbours();
        for (int vertex = 0; vertex < matrix.length; vertex++) {
            for (int left = cursor.open(vertex); left > 0; left--) {
                matrix[vertex][cursor.next()]++;
            }
        }
        return matrix;
    }

    /** Whether there is an edge between two different vertices, in any direction. */
    public static boolean[][] simple(ArrayGraph graph) {
        int[][] matrix = matrix(graph);
        boolean[][] simple = new boolean[matrix.length][matrix.length];
        for (int i = 0; i < matrix.length; i++) {
            for (int j = 0; j < matrix.length; j++) {
                simple[i][j] = i != j && matrix[i][j] + matrix[j][i] > 0;
            }
        }
        return simple;
    }

    /** Whether a path leads from one vertex to another; each vertex reaches itself. */
    public static boolean[][] reach(ArrayGraph graph) {
        int[][] matrix = matrix(graph);
        int count = matrix.length;
        boolean[][] reach = new boolean[count][count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                reach[i][j] = i == j || matrix[i][j] > 0;
            }
        }
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < count; j++) {
                    reach[i][j] |= reach[i][k] && reach[k][j];
                }
            }
        }
        return reach;
    }
}
