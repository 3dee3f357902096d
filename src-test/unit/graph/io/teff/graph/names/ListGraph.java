package io.teff.graph.names;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.edges.EdgeSource;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** A small graph in maps, for tests: the reference for views and searches. */
final class ListGraph implements Adjacency {
    private final int vertexCount;
    private final boolean directed;
    private final TreeMap<Integer, TreeMap<Integer, Double>> runs = new TreeMap<>();
    private final ListGraph reversed;

    private ListGraph(int vertexCount, boolean directed, ListGraph forward) {
        this.vertexCount = vertexCount;
        this.directed = directed;
        this.reversed = forward != null ? forward : directed ? new ListGraph(vertexCount, true, this) : this;
    }

    static ListGraph of(EdgeSource source) throws IOException {
        ListGraph graph = new ListGraph((int) source.vertexCount(), source.directed(), null);
        for (int part = 0; part < source.parts(); part++) {
            source.read(part, (from, to, weight) -> {
                graph.run((int) from).put((int) to, weight);
                graph.reversed.run((int) to).put((int) from, weight);
            });
        }
        return graph;
    }

    private TreeMap<Integer, Double> run(int vertex) {
        return runs.computeIfAbsent(vertex, _ -> new TreeMap<>());
    }

    @Override
    public int vertexCount() {
        return vertexCount;
    }

    @Override
    public long arcCount() {
        return runs.values().stream().mapToLong(TreeMap::size).sum();
    }

    @Override
    public boolean directed() {
        return directed;
    }

    @Override
    public boolean weighted() {
        return true;
    }

    @Override
    public int degree(int vertex) {
        return run(vertex).size();
    }

    @Override
    public Neighbours neighbours() {
        return new Neighbours() {
            private TreeMap<Integer, Double> run = new TreeMap<>();
            private Map.Entry<Integer, Double> at;

            @Override
            public int open(int vertex) {
                run = run(vertex);
                at = null;
                return run.size();
            }

            @Override
            public int next() {
                at = at == null ? run.firstEntry() : run.higherEntry(at.getKey());
                return at.getKey();
            }

            @Override
            public double weight() {
                return at.getValue();
            }

            private TreeMap<Integer, Double> run(int vertex) {
                return ListGraph.this.run(vertex);
            }
        };
    }

    @Override
    public Adjacency reversed() {
        return reversed;
    }
}
