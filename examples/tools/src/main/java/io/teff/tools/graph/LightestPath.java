package io.teff.tools.graph;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.Arrays;

/**
 * A path with the least sum of weights, found from the lengths of all such paths: a breadth-first search over the arcs
 * whose weight is the difference of the lengths of their ends. So the path has the fewest arcs among the lightest, and
 * arcs of weight 0 make no circle.
 */
final class LightestPath {
    private LightestPath() {}

    /**
     * Finds a path.
     *
     * @param lengths length of a lightest path to each vertex
     * @param to a vertex with a path
     * @return the vertices, both ends included
     */
    static int[] of(Adjacency graph, double[] lengths, int from, int to) {
        int[] parents = new int[graph.vertexCount()];
        Arrays.fill(parents, -1);
        int[] queue = new int[graph.vertexCount()];
        Neighbours cursor = graph.neighbours();
        parents[from] = from;
        queue[0] = from;
        int end = 1;
        for (int at = 0; at < end && parents[to] < 0; at++) {
            int vertex = queue[at];
            for (int left = cursor.open(vertex); left > 0; left--) {
                int neighbour = cursor.next();
                if (parents[neighbour] < 0 && lengths[vertex] + cursor.weight() == lengths[neighbour]) {
                    parents[neighbour] = vertex;
                    queue[end++] = neighbour;
                }
            }
        }
        if (parents[to] < 0) {
            throw new IllegalStateException("lengths of paths disagree with weights at vertex " + to);
        }
        int arcs = 0;
        for (int at = to; at != from; at = parents[at]) {
            arcs++;
        }
        int[] path = new int[arcs + 1];
        for (int at = to, place = arcs; place >= 0; at = parents[at], place--) {
            path[place] = at;
        }
        return path;
    }
}
