package io.teff.graph;

/**
 * Reads runs of neighbours, one vertex after the other, without an object for each.
 *
 * <pre>{@code
 * for (int left = cursor.open(vertex); left > 0; left--) {
 *     int neighbour = cursor.next();
 * }
 * }</pre>
 *
 * <p>Not safe for use by several threads.
 */
public interface Neighbours {
    /**
     * Moves before the first neighbour of a vertex.
     *
     * @param vertex 0 to the number of vertices - 1
     * @return length of the run
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph
     */
    int open(int vertex);

    /** {@return the next neighbour; undefined behind the end of the run} */
    int next();

    /**
     * Copies the next neighbours of the run.
     *
     * @param target receives the neighbours, from index 0 on
     * @param count number of neighbours, at most the rest of the run
     */
    default void next(int[] target, int count) {
        next(target, 0, count);
    }

    /**
     * Copies the next neighbours of the run to a place of an array.
     *
     * @param target receives the neighbours
     * @param from index of the first neighbour in the array
     * @param count number of neighbours, at most the rest of the run
     */
    default void next(int[] target, int from, int count) {
        for (int i = from; i < from + count; i++) {
            target[i] = next();
        }
    }

    /** {@return the weight of the arc to the neighbour that {@link #next} returned last; 1 without weights} */
    double weight();
}
