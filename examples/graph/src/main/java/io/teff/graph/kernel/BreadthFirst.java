package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Breadth-first search that changes its direction.
 *
 * <p>A step <b>down</b> goes through the runs of the vertices of the last level, and finds the vertices of the next. A
 * step <b>up</b> goes through the runs of all vertices that were not reached, and looks for one neighbour in the last
 * level. If the last level has many arcs, nearly each vertex has a neighbour there. A step up then reads a few
 * neighbours of each vertex instead of all arcs. A directed graph without reverse is searched downwards only.
 *
 * <p>The switch is the one of Beamer, Asanovic and Patterson, "Direction-Optimizing Breadth-First Search" (2012): up
 * when the arcs of the last level exceed a fifteenth of the arcs that were not looked at; down when the last level is
 * smaller than the one before and has less than an eighteenth of all vertices.
 *
 * <p>A search needs 4 bytes for each vertex for the parents, 4 for the levels, and 2 bits. Thread-safe.
 */
public final class BreadthFirst {
    private final Adjacency graph;
    private final Workers workers;

    /**
     * Prepares searches.
     *
     * @param graph graph to search
     * @param workers threads that search
     */
    public BreadthFirst(Adjacency graph, Workers workers) {
        this.graph = graph;
        this.workers = workers;
    }

    /**
     * Searches from a vertex.
     *
     * @param root the vertex
     * @return the parents of all reached vertices
     * @throws IndexOutOfBoundsException if the root is outside of the graph
     */
    public ParentTree search(int root) {
        return search(root, WorkWatch.NONE);
    }

    /**
     * Searches from a vertex.
     *
     * @param root the vertex
     * @param watch sees each level, and may cancel
     * @return the parents of all reached vertices
     * @throws IndexOutOfBoundsException if the root is outside of the graph
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the search
     */
    public ParentTree search(int root, WorkWatch watch) {
        Objects.checkIndex(root, graph.vertexCount());
        Adjacency back = reversed(graph);
        SearchSteps steps = graph instanceof FrozenGraph frozen && (back == null || back instanceof FrozenGraph)
            ? new FrozenSteps(frozen, (FrozenGraph) back, workers) : new CursorSteps(graph, back, workers);
        return new ParentTree(root, steps.run(root, watch));
    }

    /** Returns the reverse, or null if there is none. */
    static @Nullable Adjacency reversed(Adjacency graph) {
        try {
            return graph.reversed();
        } catch (IllegalStateException e) {
            return null;
        }
    }
}
