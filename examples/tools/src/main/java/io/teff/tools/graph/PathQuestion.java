package io.teff.tools.graph;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.algorithms.ShortestPaths;
import io.teff.graph.algorithms.Team;
import io.teff.graph.names.LabelledSearch;
import io.teff.graph.work.Workers;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code graph path} command. */
@Command(
    name = "path",
    description = {"Finds a path with the fewest arcs between two vertices.",
        "In WordNet, a path between words goes through their senses."},
    footerHeading = "%nExample:%n",
    footer = "  ./teff graph path dog justice --store=words",
    sortOptions = false)
final class PathQuestion extends GraphQuestion<PathQuestion.Found> {
    @Parameters(index = "0", arity = "1", paramLabel = "FROM", description = "Name or number of the first vertex.")
    private String from = "";

    @Parameters(index = "1", arity = "1", paramLabel = "TO", description = "Name or number of the last vertex.")
    private String to = "";

    @Option(names = "--both-ways", description = "Follow arcs also from their target to their source.")
    private boolean bothWays;

    @Option(names = "--weights", description = "Find a path with the least sum of weights, instead of the fewest arcs.")
    private boolean weights;

    @Mixin
    private LabelOption labels = new LabelOption();

    /** A vertex, and the arc that leads to it; the arrow points against the path where the arc does. */
    record Step(String vertex, String arrow, String arc) {}

    /** The answer. */
    record Found(String from, String to, int arcs, double length, int visited, List<Step> path) {}

    @Override
    void checkOptions() {
        check(!weights || !bothWays && labels.chosen().isEmpty(), "--weights excludes --both-ways and --labels");
    }

    @Override
    Found answer(OpenGraph open, GraphProgress progress) throws IOException {
        int first = open.vertex(from);
        int last = open.vertex(to);
        long set = open.labels(labels.chosen());
        if (weights) {
            return byWeights(open, first, last, progress);
        }
        progress.at("searching a path", 0, -1);
        LabelledSearch search = LabelledSearch.from(open.graph(), first, set, bothWays ? set : LabelledSearch.NONE,
            last);
        int[] path = search.path(last);
        if (path.length == 0) {
            throw new GraphFailure("there is no path from " + from + " to " + to + "; "
                + Figures.count(search.reachedCount()) + " vertices can be reached from " + from
                + (bothWays || !open.graph().directed() ? "" : "; --both-ways ignores directions"));
        }
        return new Found(open.name(first), open.name(last), path.length - 1, path.length - 1, search.reachedCount(),
            steps(open, path, set));
    }

    private Found byWeights(OpenGraph open, int first, int last, GraphProgress progress) {
        if (!open.graph().weighted() || open.labels() != null) {
            throw new GraphFailure("the edges of the graph have no weights");
        }
        try (Workers workers = Workers.ofProcessors()) {
            double[] lengths = ShortestPaths.lengths(open.graph(), new Team(workers, progress), first);
            if (lengths[last] == Double.POSITIVE_INFINITY) {
                throw new GraphFailure("there is no path from " + from + " to " + to);
            }
            int[] path = LightestPath.of(open.graph(), lengths, first, last);
            int reached = (int) Arrays.stream(lengths).filter(it -> it < Double.POSITIVE_INFINITY).count();
            return new Found(open.name(first), open.name(last), path.length - 1, lengths[last], reached,
                steps(open, path, LabelledSearch.ANY));
        } catch (IllegalArgumentException e) {
            throw new GraphFailure(String.valueOf(e.getMessage()));
        }
    }

    private static List<Step> steps(OpenGraph open, int[] path, long set) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(open.name(path[0]), "", ""));
        for (int i = 1; i < path.length; i++) {
            steps.add(step(open, path[i - 1], path[i], set));
        }
        return steps;
    }

    private static Step step(OpenGraph open, int source, int target, long set) {
        String along = arc(open, open.graph(), source, target, set);
        return along != null ? new Step(open.name(target), "->", along) : new Step(open.name(target), "<-",
            String.valueOf(arc(open, open.graph().reversed(), source, target, set)));
    }

    /** The text of an arc, or null if there is none with the labels. */
    private static @Nullable String arc(OpenGraph open, Adjacency graph, int source, int target, long set) {
        Neighbours cursor = graph.neighbours();
        for (int left = cursor.open(source); left > 0; left--) {
            boolean isRight = cursor.next() == target
                && (set == LabelledSearch.ANY || ((long) cursor.weight() & set) != 0);
            if (isRight) {
                return open.arcText(cursor.weight());
            }
        }
        return null;
    }

    @Override
    void write(Found found, PrintWriter out) {
        out.println("PATH   of " + found.arcs() + " arcs" + (found.length() == found.arcs() ? "" : Figures.text(
            ", length %.6g", found.length())) + "; " + Figures.count(found.visited()) + " vertices visited");
        for (Step step : found.path()) {
            out.println(("  " + step.arrow() + " " + step.vertex()).replaceFirst("^   ", "  ")
                + (step.arc().isEmpty() ? "" : "  (" + step.arc() + ")"));
        }
    }
}
