package io.teff.graph.kernel;

import java.util.Arrays;

/**
 * Result of a breadth-first search: for each reached vertex, its parent. The root is its own parent.
 *
 * <p>Levels are the same in each search. With several workers, a vertex with several possible parents may get another
 * parent in each search; with one worker it gets the same.
 */
public final class ParentTree {
    /** Parent, and level, of a vertex that the search has not reached. */
    public static final int NONE = -1;
    /** Level of a vertex whose parents form a circle, in a wrong tree. */
    static final int CIRCLE = -3;

    private static final int UNKNOWN = -2;

    private final int root;
    /** Negative for each vertex that was not reached. */
    private final int[] parents;

    /**
     * Takes the parents of a search, of this library or of another program.
     *
     * @param root the root
     * @param parents for each vertex its parent, negative if not reached; not copied
     */
    public ParentTree(int root, int[] parents) {
        this.root = root;
        this.parents = parents;
    }

    /** {@return vertex at which the search began} */
    public int root() {
        return root;
    }

    /** {@return number of vertices of the graph} */
    public int vertexCount() {
        return parents.length;
    }

    /**
     * Returns the parent of a vertex.
     *
     * @param vertex the vertex
     * @return parent; {@link #NONE} if the vertex was not reached
     */
    public int parent(int vertex) {
        return Math.max(parents[vertex], NONE);
    }

    /**
     * Returns whether the search has reached a vertex.
     *
     * @param vertex the vertex
     * @return whether the vertex has a parent
     */
    public boolean isReached(int vertex) {
        return parents[vertex] >= 0;
    }

    /** {@return number of reached vertices, with the root} */
    public int reachedCount() {
        int count = 0;
        for (int parent : parents) {
            count += parent >= 0 ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns the level of each vertex: the number of arcs from the root.
     *
     * @return a new array; {@link #NONE} for vertices that were not reached
     */
    public int[] levels() {
        int[] levels = new int[parents.length];
        Arrays.fill(levels, UNKNOWN);
        levels[root] = 0;
        int[] path = new int[64];
        for (int vertex = 0; vertex < levels.length; vertex++) {
            int length = 0;
            int at = vertex;
            while (levels[at] == UNKNOWN && parents[at] >= 0 && parents[at] < parents.length) {
                if (length == path.length) {
                    path = Arrays.copyOf(path, length * 2);
                }
                path[length++] = at;
                levels[at] = CIRCLE;                          // until the path is known
                at = parents[at];
            }
            int level = levels[at];
            if (level == UNKNOWN) {
                level = NONE;                                 // a vertex without a parent: not reached
                levels[at] = NONE;
            }
            while (length > 0) {
                level = level < 0 ? level : level + 1;
                levels[path[--length]] = level;
            }
        }
        return levels;
    }

    /** {@return the highest level} */
    public int depth() {
        return Arrays.stream(levels()).max().orElse(0);
    }

    int[] parents() {
        return parents;
    }
}
