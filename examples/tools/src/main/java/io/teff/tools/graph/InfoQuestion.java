package io.teff.tools.graph;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.names.EdgeLabels;
import io.teff.graph.store.StoreGraph;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code graph info} command. */
@Command(
    name = "info",
    description = "Tells the size of a graph, its labels, and its degrees.",
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph info --svg=degrees.svg",
    sortOptions = false)
final class InfoQuestion extends GraphQuestion<InfoQuestion.Info> {
    private static final int TOP_MAX = 1000;
    private static final int SET_BITS = 64;

    @Option(names = "--top", paramLabel = "N", defaultValue = "5",
        description = "Number of vertices of the highest degrees to list, 0 to " + TOP_MAX
            + " (default: ${DEFAULT-VALUE}).")
    private int top;

    @Mixin
    private SvgOption svg = new SvgOption();

    /** Number of arcs with a label. */
    record LabelCount(String label, long arcs) {}

    /** A vertex with its degrees. */
    record Degree(String vertex, int out, int in) {}

    /** The answer. */
    record Info(String graph, String source, int vertices, long arcs, boolean directed, boolean weighted,
                boolean names, List<LabelCount> labels, long withoutArcs, double meanDegree, List<Degree> highest,
                List<String> graphsOfTheStore, long storeBytes) {}

    @Override
    void checkOptions() {
        check(top >= 0 && top <= TOP_MAX, "--top=" + top + " is outside of 0.." + TOP_MAX);
    }

    @Override
    Info answer(OpenGraph open, GraphProgress progress) throws IOException {
        progress.at("counting degrees", 0, -1);
        StoreGraph graph = open.graph();
        int[] degrees = new int[graph.vertexCount()];
        Adjacency back = graph.reversed();
        for (int vertex = 0; vertex < degrees.length; vertex++) {
            degrees[vertex] = graph.degree(vertex) + (graph.directed() ? back.degree(vertex) : 0);
        }
        int max = Arrays.stream(degrees).max().orElse(0);
        svg.write(() -> picture(open, degrees, max));
        List<Degree> highest = new ArrayList<>();
        Integer[] order = highest(degrees);
        for (int vertex : order) {
            highest.add(new Degree(open.name(vertex), graph.degree(vertex), back.degree(vertex)));
        }
        long isolated = Arrays.stream(degrees).filter(it -> it == 0).count();
        return new Info(graph.name(), open.facts().source(), graph.vertexCount(), graph.arcCount(), graph.directed(),
            graph.weighted() && open.labels() == null, open.facts().hasNames(), labels(open), isolated,
            (double) graph.arcCount() / Math.max(1, graph.vertexCount()), highest, GraphFacts.all(open.store()),
            open.store().stats().usedBytes());
    }

    private Integer[] highest(int[] degrees) {
        Comparator<Integer> byDegree = Comparator.comparingInt(it -> degrees[it]);
        java.util.PriorityQueue<Integer> best = new java.util.PriorityQueue<>(byDegree
            .thenComparing(Comparator.reverseOrder()));
        for (int vertex = 0; vertex < degrees.length && top > 0; vertex++) {
            best.add(vertex);
            if (best.size() > top) {
                best.remove();
            }
        }
        Integer[] order = best.toArray(Integer[]::new);
        Arrays.sort(order, byDegree.reversed().thenComparing(Comparator.naturalOrder()));
        return order;
    }

    private static String picture(OpenGraph open, int[] degrees, int max) {
        long[] counts = new long[max + 1];
        for (int degree : degrees) {
            counts[degree]++;
        }
        return GraphCharts.degrees("degrees of " + open.facts().source(), counts);
    }

    private static List<LabelCount> labels(OpenGraph open) {
        EdgeLabels labels = open.labels();
        if (labels == null) {
            return List.of();
        }
        long[] counts = new long[SET_BITS];
        Neighbours cursor = open.graph().neighbours();
        for (int vertex = 0; vertex < open.graph().vertexCount(); vertex++) {
            for (int left = cursor.open(vertex); left > 0; left--) {
                cursor.next();
                for (long set = (long) cursor.weight(); set != 0; set &= set - 1) {
                    counts[Long.numberOfTrailingZeros(set)]++;
                }
            }
        }
        List<LabelCount> all = new ArrayList<>();
        for (String label : labels.all()) {
            all.add(new LabelCount(label, counts[all.size()]));
        }
        return all;
    }

    @Override
    void write(Info info, PrintWriter out) {
        out.println("GRAPH  " + info.graph() + " from " + info.source());
        out.println("  vertices     " + Figures.count(info.vertices()) + (info.names() ? ", with names" : "") + "; "
            + Figures.count(info.withoutArcs()) + " without arcs");
        out.println("  arcs         " + Figures.count(info.arcs()) + (info.directed() ? ", directed"
            : ", each edge in both directions") + (info.weighted() ? ", weighted" : "") + "; "
            + Figures.one(info.meanDegree()) + " for each vertex");
        for (LabelCount label : info.labels()) {
            out.println(Figures.text("  label        %,12d %s", label.arcs(), label.label()));
        }
        for (Degree degree : info.highest()) {
            out.println(info.directed() ? Figures.text("  degree       %,9d out %,9d in  %s", degree.out(), degree.in(),
                degree.vertex()) : Figures.text("  degree       %,12d %s", degree.out(), degree.vertex()));
        }
        out.println("  memory       " + Figures.bytes(info.storeBytes()) + " in the store, with names");
        if (info.graphsOfTheStore().size() > 1) {
            out.println("  store        " + String.join(", ", info.graphsOfTheStore()));
        }
    }
}
