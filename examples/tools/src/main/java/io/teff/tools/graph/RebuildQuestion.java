package io.teff.tools.graph;

import io.teff.graph.data.DebianPackages;
import io.teff.graph.names.LabelledSearch;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code graph rebuild} command. */
@Command(
    name = "rebuild",
    description = {
        "Tells which vertices need a vertex, directly or through others: what must be rebuilt if it changes.",
        "In a graph of Debian's packages, these are the packages that reach it by Depends and Pre-Depends, also "
            + "through a virtual package that one of them provides. In other graphs, all arcs count."},
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph rebuild libpng16-16 --count=20",
    sortOptions = false)
final class RebuildQuestion extends GraphQuestion<RebuildQuestion.Affected> {
    @Parameters(arity = "1", paramLabel = "VERTEX", description = "Name or number of the vertex that changes.")
    private String vertex = "";

    @Mixin
    private LabelOption labels = new LabelOption();

    @Option(names = "--count", paramLabel = "N", defaultValue = "20",
        description = "List at most N vertices, the nearest first (default: ${DEFAULT-VALUE}).")
    private int count;

    @Mixin
    private SvgOption svg = new SvgOption();

    /** A vertex, and its number of arcs to the vertex that changes. */
    record Dependent(String vertex, int arcs) {}

    /** The answer. */
    record Affected(String vertex, int affected, int direct, List<Integer> levels, List<Dependent> nearest) {}

    @Override
    void checkOptions() {
        check(count >= 0, "--count=" + count + " is below 0");
    }

    @Override
    Affected answer(OpenGraph open, GraphProgress progress) throws IOException {
        int root = open.vertex(vertex);
        boolean isDebian = open.labels() != null && open.labels().all().equals(DebianPackages.RELATIONS);
        List<String> chosen = !labels.chosen().isEmpty() || !isDebian ? labels.chosen()
            : List.of("Depends", "Pre-Depends");
        long against = open.labels(chosen);
        long along = isDebian ? open.labels(List.of("Provides")) : LabelledSearch.NONE;
        if (!open.graph().directed()) {
            along = against;
        }
        progress.at("searching", 0, -1);
        LabelledSearch search = LabelledSearch.from(open.graph(), root, along, against, -1);
        int[] sizes = search.levelSizes();
        svg.write(() -> GraphCharts.levels("vertices that need " + open.name(root), sizes));
        List<Dependent> nearest = new ArrayList<>();
        int[] order = search.order();
        for (int i = 1; i < order.length && nearest.size() < count; i++) {
            nearest.add(new Dependent(open.name(order[i]), search.level(order[i])));
        }
        return new Affected(open.name(root), search.reachedCount() - 1, sizes.length > 1 ? sizes[1] : 0,
            Arrays.stream(sizes).boxed().toList(), nearest);
    }

    @Override
    void write(Affected affected, PrintWriter out) {
        out.println("REBUILD  " + Figures.count(affected.affected()) + " vertices need " + affected.vertex() + ", "
            + Figures.count(affected.direct()) + " of them directly");
        LevelText.write(affected.levels(), out);
        for (Dependent dependent : affected.nearest()) {
            out.println(Figures.text("  %3d  %s", dependent.arcs(), dependent.vertex()));
        }
        if (affected.affected() > affected.nearest().size()) {
            out.println("  ... and " + Figures.count(affected.affected() - affected.nearest().size()) + " more");
        }
    }
}
