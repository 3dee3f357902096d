package io.teff.tools.graph;

import io.teff.graph.algorithms.Communities;
import io.teff.graph.algorithms.Team;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code graph communities} command. */
@Command(
    name = "communities",
    description = "Finds communities by label propagation, as LDBC Graphalytics defines it: in each round, a vertex "
        + "joins the community of most of its neighbours.",
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph communities --rounds=20 --top=5",
    sortOptions = false)
final class CommunitiesQuestion extends GraphQuestion<CommunitiesQuestion.Found> {
    private static final int TOP_MAX = 10_000;
    private static final int ROUNDS_MAX = 10_000;
    private static final int NAMES = 5;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "10",
        description = "At most N rounds, 1 to " + ROUNDS_MAX + " (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--top", paramLabel = "N", defaultValue = "10",
        description = "Number of the largest communities to list, 0 to " + TOP_MAX + " (default: ${DEFAULT-VALUE}).")
    private int top;

    /** A community, with its vertices of the highest degrees. */
    record Community(int vertices, List<String> highest) {}

    /** The answer. */
    record Found(int communities, int alone, List<Community> largest) {}

    @Override
    void checkOptions() {
        check(rounds >= 1 && rounds <= ROUNDS_MAX, "--rounds=" + rounds + " is outside of 1.." + ROUNDS_MAX);
        check(top >= 0 && top <= TOP_MAX, "--top=" + top + " is outside of 0.." + TOP_MAX);
    }

    @Override
    Found answer(OpenGraph open, GraphProgress progress) {
        try (Workers workers = Workers.ofProcessors()) {
            int[] labels = Communities.labels(open.graph(), new Team(workers, progress), rounds);
            LargestGroups groups = new LargestGroups(labels);
            List<Community> largest = new ArrayList<>();
            for (int group : groups.largest(top)) {
                largest.add(new Community(groups.size(group), highest(open, labels, group)));
            }
            return new Found(groups.count(), groups.alone(), largest);
        }
    }

    private static List<String> highest(OpenGraph open, int[] labels, int group) {
        int[] best = new int[0];
        for (int vertex = 0; vertex < labels.length; vertex++) {
            if (labels[vertex] == group) {
                best = withVertex(open, best, vertex);
            }
        }
        return Arrays.stream(best).mapToObj(open::name).toList();
    }

    /** Inserts a vertex behind those of a higher or equal degree; at most {@link #NAMES} stay. */
    private static int[] withVertex(OpenGraph open, int[] best, int vertex) {
        int at = best.length;
        while (at > 0 && open.graph().degree(best[at - 1]) < open.graph().degree(vertex)) {
            at--;
        }
        if (at == NAMES) {
            return best;
        }
        int[] next = Arrays.copyOf(best, Math.min(NAMES, best.length + 1));
        System.arraycopy(best, at, next, at + 1, next.length - at - 1);
        next[at] = vertex;
        return next;
    }

    @Override
    void write(Found found, PrintWriter out) {
        out.println("COMMUNITIES  " + Figures.count(found.communities()) + ", of which " + Figures.count(found.alone())
            + " have one vertex");
        for (Community community : found.largest()) {
            out.println(Figures.text("  %,12d vertices with %s", community.vertices(), String.join(", ",
                community.highest())));
        }
    }
}
