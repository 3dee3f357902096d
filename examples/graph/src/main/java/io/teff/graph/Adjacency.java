package io.teff.graph;

/**
 * A graph as algorithms read it: vertices from 0 to {@code vertexCount() - 1}, each with a run of neighbours.
 *
 * <p>An undirected graph has each edge in the runs of both of its ends. A directed graph has an edge in the run of its
 * source. Runs are sorted by neighbour.
 *
 * <p>The graph is safe for use by several threads. A {@link Neighbours cursor} belongs to one thread.
 */
public interface Adjacency {
    /**
     * Number of vertices.
     *
     * @return 0 to 2^31 - 9
     */
    int vertexCount();

    /**
     * Number of entries in all runs: of an undirected graph, twice its edges without loops.
     *
     * @return at least 0
     */
    long arcCount();

    /** {@return whether an arc and its reverse are different} */
    boolean directed();

    /** {@return whether arcs have weights; otherwise each weight is 1} */
    boolean weighted();

    /**
     * {@return the length of the run of a vertex: its number of arcs}
     *
     * @param vertex 0 to {@code vertexCount() - 1}
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph
     */
    int degree(int vertex);

    /** {@return a new cursor for the calling thread} */
    Neighbours neighbours();

    /**
     * {@return the same graph with each arc reversed; the graph itself, if undirected}
     *
     * @throws IllegalStateException if the graph was built without its reverse
     */
    Adjacency reversed();
}
