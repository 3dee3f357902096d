package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;

/**
 * The connected components of a graph; of a directed graph, the weak ones, which ignore directions. A component has the
 * number of its smallest vertex.
 */
public final class Components {
    private final int[] component;

    private Components(int[] component) {
        this.component = component;
    }

    /**
     * Finds the components.
     *
     * @param graph the graph
     * @param workers threads that search
     * @return the components
     */
    public static Components of(Adjacency graph, Workers workers) {
        return of(graph, workers, WorkWatch.NONE);
    }

    /**
     * Finds the components.
     *
     * @param graph the graph
     * @param workers threads that search
     * @param watch sees the progress, and may cancel
     * @return the components
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the work
     */
    public static Components of(Adjacency graph, Workers workers, WorkWatch watch) {
        Adjacency back = BreadthFirst.reversed(graph);
        ComponentSteps steps = graph instanceof FrozenGraph frozen && (back == null || back instanceof FrozenGraph)
            ? new FrozenComponents(frozen, (FrozenGraph) back, workers) : new CursorComponents(graph, back, workers);
        return new Components(steps.run(watch));
    }

    /**
     * Returns the component of a vertex.
     *
     * @param vertex the vertex
     * @return smallest vertex of the component
     */
    public int component(int vertex) {
        return component[vertex];
    }

    /** {@return number of vertices of the graph} */
    public int vertexCount() {
        return component.length;
    }

    /** {@return number of components; a vertex without edges is one} */
    public int count() {
        int count = 0;
        for (int vertex = 0; vertex < component.length; vertex++) {
            count += component[vertex] == vertex ? 1 : 0;
        }
        return count;
    }

    /** {@return for each component, at the index of its smallest vertex, the number of its vertices; 0 elsewhere} */
    public int[] sizes() {
        int[] sizes = new int[component.length];
        for (int smallest : component) {
            sizes[smallest]++;
        }
        return sizes;
    }
}
