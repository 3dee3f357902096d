package io.teff.tools.graph;

import io.teff.graph.Adjacency;
import io.teff.graph.algorithms.StrongComponents;
import io.teff.graph.algorithms.Team;
import io.teff.graph.names.LabelledSearch;
import io.teff.graph.names.LabelledView;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code graph cycles} command. */
@Command(
    name = "cycles",
    description = {"Finds the cycles of a directed graph: sets of vertices in which each vertex reaches each other "
        + "vertex (strongly connected components).", "In a graph without directions, these are the connected parts."},
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph cycles --labels=Depends,Pre-Depends",
    sortOptions = false)
final class CyclesQuestion extends GraphQuestion<CyclesQuestion.Cycles> {
    private static final int TOP_MAX = 10_000;
    private static final int NAMES_MAX = 1000;

    @Mixin
    private LabelOption labels = new LabelOption();

    @Option(names = "--top", paramLabel = "N", defaultValue = "10",
        description = "Number of the largest cycles to list, 0 to " + TOP_MAX + " (default: ${DEFAULT-VALUE}).")
    private int top;

    @Option(names = "--names", paramLabel = "N", defaultValue = "8",
        description = "Number of vertices to name of each cycle, 0 to " + NAMES_MAX + " (default: ${DEFAULT-VALUE}).")
    private int named;

    /** A cycle. */
    record Cycle(int vertices, List<String> first) {}

    /** The answer. */
    record Cycles(int cycles, int verticesInCycles, List<Cycle> largest) {}

    @Override
    void checkOptions() {
        check(top >= 0 && top <= TOP_MAX, "--top=" + top + " is outside of 0.." + TOP_MAX);
        check(named >= 0 && named <= NAMES_MAX, "--names=" + named + " is outside of 0.." + NAMES_MAX);
    }

    @Override
    Cycles answer(OpenGraph open, GraphProgress progress) {
        long set = open.labels(labels.chosen());
        Adjacency graph = set == LabelledSearch.ANY ? open.graph() : LabelledView.of(open.graph(), set);
        try (Workers workers = Workers.ofProcessors()) {
            List<int[]> cycles = StrongComponents.of(graph, new Team(workers, progress)).cycles();
            int vertices = cycles.stream().mapToInt(it -> it.length).sum();
            return new Cycles(cycles.size(), vertices, cycles.stream().limit(top).map(it -> new Cycle(it.length,
                Arrays.stream(it).limit(named).mapToObj(open::name).toList())).toList());
        }
    }

    @Override
    void write(Cycles cycles, PrintWriter out) {
        out.println("CYCLES  " + Figures.count(cycles.cycles()) + " with " + Figures.count(cycles.verticesInCycles())
            + " vertices");
        for (Cycle cycle : cycles.largest()) {
            out.println(Figures.text("  %,7d vertices: %s%s", cycle.vertices(), String.join(", ", cycle.first()),
                cycle.first().size() < cycle.vertices() ? ", ..." : ""));
        }
    }
}
