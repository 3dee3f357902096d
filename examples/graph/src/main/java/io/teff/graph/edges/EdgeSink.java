package io.teff.graph.edges;

/** Takes edges, one after the other, from one thread. */
@FunctionalInterface
public interface EdgeSink {
    /**
     * Takes an edge.
     *
     * @param source number of a vertex, at least 0
     * @param target number of a vertex, at least 0
     * @param weight 1 where the input has no weights
     */
    void edge(long source, long target, double weight);
}
