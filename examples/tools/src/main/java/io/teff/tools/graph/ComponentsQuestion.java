package io.teff.tools.graph;

import io.teff.graph.kernel.Components;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code graph components} command. */
@Command(
    name = "components",
    description = "Finds the connected parts of a graph; directions are ignored.",
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph components --top=3",
    sortOptions = false)
final class ComponentsQuestion extends GraphQuestion<ComponentsQuestion.Parts> {
    private static final int TOP_MAX = 10_000;

    @Option(names = "--top", paramLabel = "N", defaultValue = "10",
        description = "Number of the largest components to list, 0 to " + TOP_MAX + " (default: ${DEFAULT-VALUE}).")
    private int top;

    /** A component, by its first vertex. */
    record Part(String first, int vertices) {}

    /** The answer. */
    record Parts(int components, int alone, List<Part> largest) {}

    @Override
    void checkOptions() {
        check(top >= 0 && top <= TOP_MAX, "--top=" + top + " is outside of 0.." + TOP_MAX);
    }

    @Override
    Parts answer(OpenGraph open, GraphProgress progress) {
        try (Workers workers = Workers.ofProcessors()) {
            Components components = Components.of(open.graph(), workers, progress);
            int[] groups = new int[components.vertexCount()];
            Arrays.setAll(groups, components::component);
            LargestGroups sizes = new LargestGroups(groups);
            List<Part> largest = Arrays.stream(sizes.largest(top))
                .mapToObj(it -> new Part(open.name(it), sizes.size(it))).toList();
            return new Parts(sizes.count(), sizes.alone(), largest);
        }
    }

    @Override
    void write(Parts parts, PrintWriter out) {
        out.println("COMPONENTS  " + Figures.count(parts.components()) + ", of which " + Figures.count(parts.alone())
            + " have one vertex");
        for (Part part : parts.largest()) {
            out.println(Figures.text("  %,12d vertices with %s", part.vertices(), part.first()));
        }
    }
}
