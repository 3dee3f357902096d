package io.teff.examples.graph;

import io.teff.engine.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A shortest chain of references, found by breadth-first search: chunk by chunk, nearest first, each once. It remembers
 * the vertex that it came from for each vertex it met, which is all it needs to go back from the goal.
 *
 * @param classes the names on the way, both ends included; empty if there is no way
 * @param visited number of vertexes that the search met
 */
public record ShortestPath(List<String> classes, int visited) {
    static ShortestPath between(ClassGraph graph, Store store, long from, long to) {
        Map<Long, Long> cameFrom = new HashMap<>();
        Queue<Long> ahead = new ArrayDeque<>();
        Neighbours neighbours = new Neighbours(store);
        cameFrom.put(from, from);
        ahead.add(from);
        while (!ahead.isEmpty() && !cameFrom.containsKey(to)) {
            long vertex = ahead.remove();
            neighbours.readReferences(vertex);
            for (int i = 0; i < neighbours.count(); i++) {
                if (cameFrom.putIfAbsent(neighbours.cid(i), vertex) == null) {
                    ahead.add(neighbours.cid(i));
                }
            }
        }
        return new ShortestPath(wayBack(graph, cameFrom, from, to), cameFrom.size());
    }

    private static List<String> wayBack(ClassGraph graph, Map<Long, Long> cameFrom, long from, long to) {
        List<String> names = new ArrayList<>();
        Long vertex = cameFrom.containsKey(to) ? to : null;
        while (vertex != null) {
            names.addFirst(graph.name(vertex));
            vertex = vertex == from ? null : cameFrom.get(vertex);
        }
        return List.copyOf(names);
    }

    /** Number of references on the way, or -1 if there is no way. */
    public int steps() {
        return classes.size() - 1;
    }
}
