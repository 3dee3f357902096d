package io.teff.tools.graph;

import io.teff.graph.Adjacency;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.kernel.BreadthFirst;
import io.teff.graph.kernel.ParentTree;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code graph bfs} command. */
@Command(
    name = "bfs",
    description = {"Searches breadth-first from a vertex by all processors, and tells the number of vertices of each "
        + "level.", "The rate counts each arc of a reached vertex once, and each edge without direction once."},
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph bfs 1 --frozen --svg=levels.svg",
    sortOptions = false)
final class BfsQuestion extends GraphQuestion<BfsQuestion.Search> {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double MEGA = 1e6;

    @Parameters(arity = "1", paramLabel = "VERTEX", description = "Name or number of the root.")
    private String vertex = "";

    @Option(names = "--reverse", description = "Follow arcs from their target to their source.")
    private boolean reverse;

    @Option(names = "--frozen", description = "Copy the graph into arrays first, which are faster to search.")
    private boolean frozen;

    @Mixin
    private SvgOption svg = new SvgOption();

    /** The answer. */
    record Search(String root, boolean reverse, int vertices, int reached, List<Integer> levels, double seconds,
                  double millionArcsPerSecond) {}

    @Override
    Search answer(OpenGraph open, GraphProgress progress) throws IOException {
        int root = open.vertex(vertex);
        try (Workers workers = Workers.ofProcessors()) {
            Adjacency stored = open.graph();
            Adjacency forward = frozen ? FrozenGraph.of(stored, workers) : stored;
            Adjacency graph = reverse ? forward.reversed() : forward;
            long begun = System.nanoTime();
            ParentTree tree = new BreadthFirst(graph, workers).search(root, progress);
            double seconds = (System.nanoTime() - begun) / SECOND_NS;
            int[] levels = tree.levels();
            int[] sizes = new int[Arrays.stream(levels).max().orElse(0) + 1];
            long arcs = 0;
            for (int each = 0; each < levels.length; each++) {
                if (levels[each] >= 0) {
                    sizes[levels[each]]++;
                    arcs += graph.degree(each);
                }
            }
            svg.write(() -> GraphCharts.levels("levels from " + open.name(root), sizes));
            List<Integer> counts = new ArrayList<>();
            Arrays.stream(sizes).forEach(counts::add);
            return new Search(open.name(root), reverse, levels.length, tree.reachedCount(), counts, seconds,
                arcs / (graph.directed() ? 1.0 : 2.0) / MEGA / seconds);
        }
    }

    @Override
    void write(Search search, PrintWriter out) {
        out.println(Figures.text("BFS    from %s: %s of %s vertices in %s, %.1f million arcs a second", search.root(),
            Figures.count(search.reached()), Figures.count(search.vertices()),
            Figures.duration(search.seconds() * SECOND_NS), search.millionArcsPerSecond()));
        LevelText.write(search.levels(), out);
    }
}
