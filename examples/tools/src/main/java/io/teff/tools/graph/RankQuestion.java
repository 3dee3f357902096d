package io.teff.tools.graph;

import io.teff.graph.kernel.PageRank;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code graph pagerank} command. */
@Command(
    name = "pagerank",
    description = "Lists the vertices with the highest PageRank; scores have the sum 1. All arcs count.",
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph pagerank --top=20",
    sortOptions = false)
final class RankQuestion extends GraphQuestion<RankQuestion.Ranks> {
    private static final int TOP_MAX = 100_000;
    private static final int ROUNDS_MAX = 10_000;

    @Option(names = "--top", paramLabel = "N", defaultValue = "10",
        description = "Number of vertices to list, 1 to " + TOP_MAX + " (default: ${DEFAULT-VALUE}).")
    private int top;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "50",
        description = "Number of rounds, 1 to " + ROUNDS_MAX + " (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--damping", paramLabel = "SHARE", defaultValue = "0.85",
        description = "Chance that a walk goes on, 0 to 1 (default: ${DEFAULT-VALUE}).")
    private double damping;

    /** A vertex with its score. */
    record Rank(String vertex, double score) {}

    /** The answer. */
    record Ranks(int rounds, double change, List<Rank> highest) {}

    @Override
    void checkOptions() {
        check(top >= 1 && top <= TOP_MAX, "--top=" + top + " is outside of 1.." + TOP_MAX);
        check(rounds >= 1 && rounds <= ROUNDS_MAX, "--rounds=" + rounds + " is outside of 1.." + ROUNDS_MAX);
        check(damping >= 0 && damping <= 1, "--damping=" + damping + " is outside of 0..1");
    }

    @Override
    Ranks answer(OpenGraph open, GraphProgress progress) {
        try (Workers workers = Workers.ofProcessors()) {
            PageRank rank = PageRank.ldbc(open.graph(), rounds, damping, workers, progress);
            return new Ranks(rank.rounds(), rank.change(), Arrays.stream(rank.top(top))
                .mapToObj(it -> new Rank(open.name(it), rank.score(it))).toList());
        }
    }

    @Override
    void write(Ranks ranks, PrintWriter out) {
        out.println(Figures.text("PAGERANK  after %d rounds, the last of which changed %.1e", ranks.rounds(),
            ranks.change()));
        for (Rank rank : ranks.highest()) {
            out.println(Figures.text("  %.8f  %s", rank.score(), rank.vertex()));
        }
    }
}
