package io.teff.test.bench.graph;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The figures of graphs in parts: a line for each algorithm, with the medians of the rounds. */
final class PartsFigures {
    /** Most time of the cluster, divided by that of the same program on one machine. */
    static final double RATIO_MAX = 2.5;

    private final long edges;
    private final double loadSeconds;
    private final double bytesPerEdge;
    private final Map<PartsAlgorithm, List<PartsTrial.Figures>> rounds = new EnumMap<>(PartsAlgorithm.class);

    /**
     * No rounds yet.
     *
     * @param edges of the graph
     * @param loadSeconds time of the load into the cluster
     * @param bytesPerEdge of the parts
     */
    PartsFigures(long edges, double loadSeconds, double bytesPerEdge) {
        this.edges = edges;
        this.loadSeconds = loadSeconds;
        this.bytesPerEdge = bytesPerEdge;
    }

    void add(PartsAlgorithm algorithm, PartsTrial.Figures figures) {
        rounds.computeIfAbsent(algorithm, _ -> new ArrayList<>()).add(figures);
    }

    /** Returns whether all results were those of one machine. */
    boolean isRight() {
        return rounds.values().stream().flatMap(List::stream).allMatch(PartsTrial.Figures::isEqual);
    }

    private static double median(List<PartsTrial.Figures> all, ToDoubleFunction<PartsTrial.Figures> figure) {
        double[] sorted = all.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns a bar for each algorithm with a program of one machine: its time divided by that of the cluster. */
    List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        rounds.forEach((algorithm, all) -> {
            double ratio = median(all, PartsTrial.Figures::programRatio);
            if (!Double.isNaN(ratio)) {
                bars.add(new Bar(algorithm.id() + ", one machine / cluster", 1 / ratio, 1 / RATIO_MAX));
            }
        });
        return bars;
    }

    private static String figure(List<PartsTrial.Figures> all, ToDoubleFunction<PartsTrial.Figures> figure) {
        return TextTable.figure(median(all, figure));
    }

    private static String row(String name, String... cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-12s", name));
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, "%11s", cell));
        }
        return line.append(System.lineSeparator()).toString();
    }

    String table(Machine machine) {
        StringBuilder text = new StringBuilder(new ReportHead(machine, Set.of()).text());
        text.append(String.format(Locale.ROOT, "%n%d edges; load into the cluster %.1f s, %.2f bytes per edge%n%n",
            edges, loadSeconds, bytesPerEdge));
        text.append(row("", "arrays", "program", "cluster", "x arrays", "x program", "CPU", "supersteps", "messages",
            "bytes"));
        text.append(row("", "ms", "ms", "ms", "", "", "x program", "", "per edge", "per edge"));
        rounds.forEach((algorithm, all) -> text.append(row(algorithm.id(), figure(all, it -> it.arrays().ms()),
            figure(all, it -> it.program().ms()), figure(all, it -> it.cluster().ms()), figure(all,
                PartsTrial.Figures::arraysRatio), figure(all, PartsTrial.Figures::programRatio), figure(all,
                    PartsTrial.Figures::processorRatio), "" + Math.round(median(all, PartsTrial.Figures::supersteps)),
            figure(all, PartsTrial.Figures::messagesPerEdge), figure(all, PartsTrial.Figures::bytesPerEdge)
                + (all.stream().allMatch(PartsTrial.Figures::isEqual) ? "" : "  ANOTHER RESULT"))));
        text.append(System.lineSeparator());
        bars().forEach(bar -> text.append(bar.text()));
        return text.toString();
    }

    String json(Machine machine) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("machine", machine.fields());
        fields.put("edges", edges);
        fields.put("loadSeconds", loadSeconds);
        fields.put("bytesPerEdge", bytesPerEdge);
        Map<String, Object> algorithms = new LinkedHashMap<>();
        rounds.forEach((algorithm, all) -> algorithms.put(algorithm.id(), all.stream().map(PartsFigures::fields)
            .toList()));
        fields.put("algorithms", algorithms);
        fields.put("bars", bars().stream().map(Bar::fields).toList());
        return JSON.std.asString(fields);
    }

    private static Map<String, Object> fields(PartsTrial.Figures round) {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "arrays", round.arrays());
        put(fields, "program", round.program());
        put(fields, "cluster", round.cluster());
        fields.put("supersteps", round.supersteps());
        fields.put("messages per edge", round.messagesPerEdge());
        fields.put("bytes per edge", round.bytesPerEdge());
        fields.put("equal", round.isEqual());
        return fields;
    }

    private static void put(Map<String, Object> fields, String name, PartsTrial.Cost cost) {
        if (!Double.isNaN(cost.ms())) {
            fields.put(name + " ms", cost.ms());
            fields.put(name + " processor ms", cost.processorMs());
        }
    }
}
