package io.teff.tools.graph;

import io.teff.graph.algorithms.Cores;
import io.teff.graph.algorithms.Team;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code graph cores} command. */
@Command(
    name = "cores",
    description = "Finds the innermost core: the largest k such that some vertices have k neighbours among themselves. "
        + "Directions are ignored.",
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph cores",
    sortOptions = false)
final class CoresQuestion extends GraphQuestion<CoresQuestion.Core> {
    private static final int COUNT_MAX = 100_000;

    @Option(names = "--count", paramLabel = "N", defaultValue = "20",
        description = "Number of vertices of the innermost core to list, 0 to " + COUNT_MAX
            + " (default: ${DEFAULT-VALUE}).")
    private int count;

    /** The answer; {@code sizes} has the number of vertices by core number. */
    record Core(int highest, int vertices, List<Integer> sizes, List<String> first) {}

    @Override
    void checkOptions() {
        check(count >= 0 && count <= COUNT_MAX, "--count=" + count + " is outside of 0.." + COUNT_MAX);
    }

    @Override
    Core answer(OpenGraph open, GraphProgress progress) {
        try (Workers workers = Workers.ofProcessors()) {
            int[] numbers = Cores.numbers(open.graph(), new Team(workers, progress));
            int highest = Arrays.stream(numbers).max().orElse(0);
            int[] sizes = new int[highest + 1];
            for (int number : numbers) {
                sizes[number]++;
            }
            return new Core(highest, sizes[highest], Arrays.stream(sizes).boxed().toList(),
                IntStream.range(0, numbers.length).filter(it -> numbers[it] == highest).limit(count)
                    .mapToObj(open::name).toList());
        }
    }

    @Override
    void write(Core core, PrintWriter out) {
        out.println(Figures.text("CORES  the innermost core has k = %,d and %,d vertices", core.highest(),
            core.vertices()));
        for (String name : core.first()) {
            out.println("  " + name);
        }
        if (core.vertices() > core.first().size()) {
            out.println("  ... and " + Figures.count(core.vertices() - core.first().size()) + " more");
        }
    }
}
