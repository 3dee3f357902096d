package io.teff.graph.names;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.Arrays;

/**
 * A breadth-first search by one thread over arcs with chosen labels, along their direction, against it, or both.
 *
 * <p>"What must be rebuilt if a library changes" is a search against the direction of {@code Depends}, and along the
 * direction of {@code Provides}. Time O(n + m); memory 12 bytes for each vertex.
 */
public final class LabelledSearch {
    /** All arcs, whatever their labels; also for graphs without labels. */
    public static final long ANY = -1;
    /** No arc. */
    public static final long NONE = 0;

    private final int[] parents;
    private final int[] levels;
    private final int[] order;
    private int reached;
    private int[] levelSizes = new int[16];
    private int levelCount;

    private LabelledSearch(int vertexCount) {
        parents = new int[vertexCount];
        levels = new int[vertexCount];
        order = new int[vertexCount];
        Arrays.fill(levels, -1);
    }

    /**
     * Searches from a vertex.
     *
     * @param graph if directed, with its reverse, unless {@code against} is {@link #NONE}; the weights are sets of
     *     labels, or any numbers for {@link #ANY}
     * @param root vertex at which the search begins
     * @param along labels of the arcs that are followed from their source to their target ({@link EdgeLabels#set})
     * @param against labels of the arcs that are followed from their target to their source; not used in an undirected
     *     graph
     * @param target ends the search as soon as it is reached; -1 for none
     * @return the search after its end
     * @throws IndexOutOfBoundsException if the root is outside of the graph
     * @throws IllegalStateException if a directed graph without its reverse is searched against its arcs
     */
    public static LabelledSearch from(Adjacency graph, int root, long along, long against, int target) {
        LabelledSearch search = new LabelledSearch(graph.vertexCount());
        search.levels[root] = 0;
        search.parents[root] = root;
        search.order[search.reached++] = root;
        Neighbours forward = graph.neighbours();
        boolean isTwoWay = graph.directed() && against != NONE;
        Neighbours backward = isTwoWay ? graph.reversed().neighbours() : forward;
        search.noteLevel(0);
        for (int at = 0; at < search.reached && (target < 0 || search.levels[target] < 0); at++) {
            int vertex = search.order[at];
            if (along != NONE) {
                search.follow(forward, vertex, along);
            }
            if (isTwoWay) {
                search.follow(backward, vertex, against);
            }
        }
        return search;
    }

    private void follow(Neighbours cursor, int vertex, long labels) {
        for (int left = cursor.open(vertex); left > 0; left--) {
            int neighbour = cursor.next();
            if (levels[neighbour] < 0 && (labels == ANY || ((long) cursor.weight() & labels) != 0)) {
                levels[neighbour] = levels[vertex] + 1;
                parents[neighbour] = vertex;
                order[reached++] = neighbour;
                noteLevel(levels[neighbour]);
            }
        }
    }

    private void noteLevel(int level) {
        if (level == levelSizes.length) {
            levelSizes = Arrays.copyOf(levelSizes, level * 2);
        }
        levelSizes[level]++;
        levelCount = Math.max(levelCount, level + 1);
    }

    /** {@return the number of reached vertices, with the root} */
    public int reachedCount() {
        return reached;
    }

    /**
     * {@return the level of a vertex: the number of arcs from the root, or -1 if the vertex was not reached}
     *
     * @param vertex 0 to the number of vertices - 1
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph
     */
    public int level(int vertex) {
        return levels[vertex];
    }

    /** {@return the numbers of vertices of all levels, the root's level first} */
    public int[] levelSizes() {
        return Arrays.copyOf(levelSizes, levelCount);
    }

    /** {@return the reached vertices in the order of their levels, the root first} */
    public int[] order() {
        return Arrays.copyOf(order, reached);
    }

    /**
     * Returns the vertices of a shortest path from the root, both ends included.
     *
     * @param vertex the end of the path
     * @return empty if the vertex was not reached
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph
     */
    public int[] path(int vertex) {
        int[] path = new int[levels[vertex] + 1];
        int at = vertex;
        for (int i = path.length - 1; i >= 0; i--) {
            path[i] = at;
            at = parents[at];
        }
        return path;
    }
}
