package io.teff.tools.graph;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.names.LabelledSearch;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code graph neighbours} command. */
@Command(
    name = "neighbours",
    description = {"Lists the neighbours of a vertex, with labels or weights.",
        "The picture has the vertex, and the nearest vertices around it."},
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph neighbours bash --labels=Depends,Pre-Depends --svg=bash.svg",
    sortOptions = false)
final class NeighboursQuestion extends GraphQuestion<NeighboursQuestion.Around> {
    private static final int DRAWN_MAX = 500;

    @Parameters(arity = "1", paramLabel = "VERTEX", description = "Name or number of the vertex.")
    private String vertex = "";

    @Option(names = "--reverse", description = "List the sources of arcs to the vertex.")
    private boolean reverse;

    @Mixin
    private LabelOption labels = new LabelOption();

    @Option(names = "--count", paramLabel = "N", defaultValue = "100",
        description = "List at most N neighbours (default: ${DEFAULT-VALUE}).")
    private int count;

    @Mixin
    private SvgOption svg = new SvgOption();

    @Option(names = "--drawn", paramLabel = "N", defaultValue = "60",
        description = "Draw at most N vertices, 1 to " + DRAWN_MAX + " (default: ${DEFAULT-VALUE}).")
    private int drawn;

    /** A neighbour, with its labels or weight. */
    record Neighbour(String vertex, String arc) {}

    /** The answer. */
    record Around(String vertex, boolean reverse, int found, List<Neighbour> neighbours) {}

    @Override
    void checkOptions() {
        check(count >= 0, "--count=" + count + " is below 0");
        check(drawn >= 1 && drawn <= DRAWN_MAX, "--drawn=" + drawn + " is outside of 1.." + DRAWN_MAX);
    }

    @Override
    Around answer(OpenGraph open, GraphProgress progress) throws IOException {
        int root = open.vertex(vertex);
        long set = open.labels(labels.chosen());
        Adjacency graph = reverse ? open.graph().reversed() : open.graph();
        Neighbours cursor = graph.neighbours();
        List<Neighbour> neighbours = new ArrayList<>();
        int found = 0;
        for (int left = cursor.open(root); left > 0; left--) {
            int neighbour = cursor.next();
            if (set == LabelledSearch.ANY || ((long) cursor.weight() & set) != 0) {
                found++;
                if (neighbours.size() < count) {
                    neighbours.add(new Neighbour(open.name(neighbour), open.arcText(cursor.weight())));
                }
            }
        }
        svg.write(() -> NeighbourhoodPicture.draw(open, LabelledSearch.from(graph, root, set, LabelledSearch.NONE, -1),
            drawn));
        return new Around(open.name(root), reverse, found, neighbours);
    }

    @Override
    void write(Around around, PrintWriter out) {
        out.println(around.vertex() + ": " + Figures.count(around.found()) + (around.reverse() ? " arcs to it"
            : " neighbours"));
        for (Neighbour neighbour : around.neighbours()) {
            out.println(neighbour.arc().isEmpty() ? "  " + neighbour.vertex()
                : Figures.text("  %-40s %s", neighbour.vertex(), neighbour.arc()));
        }
        if (around.found() > around.neighbours().size()) {
            out.println("  ... and " + Figures.count(around.found() - around.neighbours().size()) + " more");
        }
    }
}
