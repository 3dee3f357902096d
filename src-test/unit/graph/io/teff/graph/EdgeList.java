package io.teff.graph;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Edges in a list, and the plain answers to questions about them, by algorithms that are short enough to be right.
 *
 * @param vertices number of vertices
 * @param directed whether an edge and its reverse are different
 * @param weighted whether edges have weights
 * @param tells whether the source tells its numbers before it is read
 * @param edges the edges
 */
public record EdgeList(int vertices, boolean directed, boolean weighted, boolean tells, List<Edge> edges)
    implements EdgeSource {
    private static final int PARTS = 3;

    /** An edge. */
    public record Edge(int source, int target, double weight) {}

    /** Returns a random graph with loops and duplicates. */
    public static EdgeList random(SplittableRandom random, boolean directed, boolean weighted) {
        int vertexCount = 1 + random.nextInt(random.nextInt(8) == 0 ? 300 : 12);
        int edgeCount = random.nextInt(1 + vertexCount * (1 + random.nextInt(4)));
        return random(random, vertexCount, edgeCount, directed, weighted);
    }

    /** Returns a random graph of given size. */
    public static EdgeList random(SplittableRandom random, int vertexCount, int edgeCount, boolean directed,
                                  boolean weighted) {
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < edgeCount; i++) {
            int near = random.nextInt(vertexCount);
            edges.add(new Edge(random.nextInt(1 + random.nextInt(vertexCount)), near,
                weighted ? random.nextInt(5) / 4.0 : 1));
        }
        return new EdgeList(vertexCount, directed, weighted, random.nextBoolean(), edges);
    }

    // ---- source ----

    @Override
    public long vertexCount() {
        return vertices;
    }

    @Override
    public int parts() {
        return PARTS;
    }

    @Override
    public void read(int part, EdgeSink sink) {
        for (int i = part; i < edges.size(); i += PARTS) {
            Edge edge = edges.get(i);
            sink.edge(edge.source, edge.target, edge.weight);
        }
    }

    @Override
    public long edgeCount() {
        return tells ? edges.size() : -1;
    }

    // ---- answers ----

    /** Returns the neighbours of each vertex with their weights: no loops, the lightest of duplicates. */
    public List<TreeMap<Integer, Double>> runs(boolean isBackward) {
        List<TreeMap<Integer, Double>> runs = new ArrayList<>();
        for (int i = 0; i < vertices; i++) {
            runs.add(new TreeMap<>());
        }
        for (Edge edge : edges) {
            if (edge.source != edge.target) {
                int from = isBackward ? edge.target : edge.source;
                int to = isBackward ? edge.source : edge.target;
                runs.get(from).merge(to, edge.weight, Math::min);
                if (!directed) {
                    runs.get(to).merge(from, edge.weight, Math::min);
                }
            }
        }
        return runs;
    }

    /** Returns the level of each vertex, or -1. */
    public int[] levels(int root) {
        List<TreeMap<Integer, Double>> runs = runs(false);
        int[] levels = new int[vertices];
        Arrays.fill(levels, -1);
        levels[root] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(root));
        while (!queue.isEmpty()) {
            int vertex = queue.remove();
            for (int neighbour : runs.get(vertex).keySet()) {
                if (levels[neighbour] < 0) {
                    levels[neighbour] = levels[vertex] + 1;
                    queue.add(neighbour);
                }
            }
        }
        return levels;
    }

    /** Returns the smallest vertex that each vertex is connected with. */
    public int[] components() {
        int[] smallest = IntStream.range(0, vertices).toArray();
        boolean isChanged = true;
        while (isChanged) {
            isChanged = false;
            for (Edge edge : edges) {
                int low = Math.min(smallest[edge.source], smallest[edge.target]);
                isChanged |= smallest[edge.source] != low || smallest[edge.target] != low;
                smallest[edge.source] = low;
                smallest[edge.target] = low;
            }
        }
        return smallest;
    }

    /** Returns the score of each vertex. */
    public double[] ranks(int rounds, double damping, boolean isSpread) {
        List<TreeMap<Integer, Double>> runs = runs(false);
        double[] scores = new double[vertices];
        Arrays.fill(scores, 1.0 / vertices);
        for (int round = 0; round < rounds; round++) {
            double[] next = new double[vertices];
            double lost = 0;
            for (int vertex = 0; vertex < vertices; vertex++) {
                for (int neighbour : runs.get(vertex).keySet()) {
                    next[neighbour] += scores[vertex] / runs.get(vertex).size();
                }
                lost += runs.get(vertex).isEmpty() && isSpread ? scores[vertex] : 0;
            }
            for (int vertex = 0; vertex < vertices; vertex++) {
                scores[vertex] = (1 - damping) / vertices + damping * (next[vertex] + lost / vertices);
            }
        }
        return scores;
    }

    /** Returns the neighbours of each vertex of a graph with their weights. */
    public static List<TreeMap<Integer, Double>> runsOf(Adjacency graph) {
        List<TreeMap<Integer, Double>> runs = new ArrayList<>();
        Neighbours cursor = graph.neighbours();
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            TreeMap<Integer, Double> run = new TreeMap<>();
            int length = cursor.open(vertex);
            if (length != graph.degree(vertex)) {
                throw new AssertionError("degree of " + vertex);
            }
            int before = -1;
            for (int left = length; left > 0; left--) {
                int neighbour = cursor.next();
                if (neighbour <= before) {
                    throw new AssertionError(neighbour + " behind " + before);
                }
                before = neighbour;
                run.put(neighbour, cursor.weight());
            }
            runs.add(run);
        }
        return runs;
    }
}
