package io.teff.graph.formats;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.names.GraphInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Edges as texts, for tests; and a source of given edges. */
public final class EdgeLists {
    private EdgeLists() {}

    /** An edge of a test. */
    public record Edge(long source, long target, double weight) {}

    /** A source of given edges in one part. */
    public record Given(long vertexCount, boolean directed, boolean weighted, List<Edge> edges) implements EdgeSource {
        @Override
        public long edgeCount() {
            return edges.size();
        }

        @Override
        public int parts() {
            return 1;
        }

        @Override
        public void read(int part, EdgeSink sink) {
            edges.forEach(it -> sink.edge(it.source(), it.target(), it.weight()));
        }
    }

    /** Draws a graph. */
    public static Given random(SplittableRandom random, boolean isDirected, boolean isWeighted) {
        int vertices = 1 + random.nextInt(40);
        List<Edge> edges = new ArrayList<>();
        for (int i = random.nextInt(120); i > 0; i--) {
            edges.add(new Edge(random.nextInt(vertices), random.nextInt(vertices),
                isWeighted ? random.nextInt(1000) / 8.0 : 1));
        }
        return new Given(vertices, isDirected, isWeighted, edges);
    }

    /** The edges of all parts, in order. */
    public static List<String> of(EdgeSource source) throws IOException {
        List<String> edges = new ArrayList<>();
        for (int part = 0; part < source.parts(); part++) {
            source.read(part, (from, to, weight) -> edges.add(from + " " + to + " " + weight));
        }
        return edges;
    }

    /** The edges of all parts with their names, in order. */
    public static List<String> named(GraphInput input) throws IOException {
        List<String> edges = new ArrayList<>();
        for (int part = 0; part < input.edges().parts(); part++) {
            input.edges().read(part, (from, to, weight) -> edges.add(input.names().name((int) from) + " "
                + (input.labels() == null ? String.valueOf(weight) : String.join("+", input.labels().of(weight)))
                + " " + input.names().name((int) to)));
        }
        return edges;
    }

    /** The edges in an order that no file changes; of undirected edges, the smaller vertex first. */
    public static List<String> sorted(EdgeSource source) throws IOException {
        List<String> edges = new ArrayList<>();
        for (int part = 0; part < source.parts(); part++) {
            source.read(part, (from, to, weight) -> {
                boolean isSwapped = !source.directed() && from > to;
                edges.add((isSwapped ? to + " " + from : from + " " + to) + " " + weight);
            });
        }
        Collections.sort(edges);
        return edges;
    }

    /** Several words as lines. */
    public static String lines(String... lines) {
        return String.join("\n", Stream.of(lines).toList()) + "\n";
    }
}
