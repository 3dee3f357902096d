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

    String table(Machine machine) {
        StringBuilder text = new StringBuilder(new ReportHead(machine, Set.of()).text());
        text.append(String.format(Locale.ROOT, "%n%d edges; load into the cluster %.1f s, %.2f bytes per edge%n%n",
            edges, loadSeconds, bytesPerEdge));
        text.append(String.format(Locale.ROOT, "%-12s%10s%10s%10s%10s%10s%11s%10s%8s%n", "", "arrays", "program",
            "cluster", "x arrays", "x program", "supersteps", "messages", "bytes"));
        text.append(String.format(Locale.ROOT, "%-12s%10s%10s%10s%10s%10s%11s%10s%8s%n", "", "ms", "ms", "ms", "", "",
            "", "per edge", "per edge"));
        rounds.forEach((algorithm, all) -> text.append(String.format(Locale.ROOT,
            "%-12s%10.0f%10s%10.0f%10.2f%10s%11.0f%10.3f%8.2f%s%n", algorithm.id(), median(all,
                PartsTrial.Figures::arraysMs), TextTable.figure(median(all, PartsTrial.Figures::programMs)),
            median(all, PartsTrial.Figures::clusterMs), median(all, PartsTrial.Figures::arraysRatio),
            TextTable.figure(median(all, PartsTrial.Figures::programRatio)), median(all,
                PartsTrial.Figures::supersteps), median(all, PartsTrial.Figures::messagesPerEdge), median(all,
                    PartsTrial.Figures::bytesPerEdge), all.stream().allMatch(PartsTrial.Figures::isEqual) ? ""
                        : "  ANOTHER RESULT")));
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
        fields.put("arrays ms", round.arraysMs());
        if (!Double.isNaN(round.programMs())) {
            fields.put("program ms", round.programMs());
        }
        fields.put("cluster ms", round.clusterMs());
        fields.put("supersteps", round.supersteps());
        fields.put("messages per edge", round.messagesPerEdge());
        fields.put("bytes per edge", round.bytesPerEdge());
        fields.put("equal", round.isEqual());
        return fields;
    }
}
