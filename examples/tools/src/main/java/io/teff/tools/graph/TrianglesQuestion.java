package io.teff.tools.graph;

import io.teff.graph.algorithms.Team;
import io.teff.graph.algorithms.Triangles;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** The {@code graph triangles} command. */
@Command(
    name = "triangles",
    description = "Counts the triangles: sets of three vertices with an edge between each two. Directions are ignored.",
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph triangles",
    sortOptions = false)
final class TrianglesQuestion extends GraphQuestion<TrianglesQuestion.Count> {
    /** The answer. */
    record Count(long triangles) {}

    @Override
    Count answer(OpenGraph open, GraphProgress progress) {
        try (Workers workers = Workers.ofProcessors()) {
            return new Count(Triangles.count(open.graph(), new Team(workers, progress)));
        }
    }

    @Override
    void write(Count count, PrintWriter out) {
        out.println("TRIANGLES  " + Figures.count(count.triangles()));
    }
}
