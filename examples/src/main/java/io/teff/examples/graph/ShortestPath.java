package io.teff.examples.graph;

import io.teff.engine.ChunkStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A shortest path of references, found by breadth-first search, which visits each chunk once, nearest first. For each
 * visited vertex the search stores the previous one, and so finds the path back from its end.
 *
 * @param classes binary names on the path, both ends included; empty if there is no path
 * @param visited number of visited vertexes
 */
public record ShortestPath(List<String> classes, int visited) {
    static ShortestPath between(ClassGraph graph, ChunkStore store, long from, long to) {
        Map<Long, Long> cameFrom = new HashMap<>();
        Queue<Long> ahead = new ArrayDeque<>();
        ReferenceCursor neighbours = new ReferenceCursor(store);
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
        return new ShortestPath(pathBack(graph, cameFrom, from, to), cameFrom.size());
    }

    private static List<String> pathBack(ClassGraph graph, Map<Long, Long> cameFrom, long from, long to) {
        List<String> names = new ArrayList<>();
        Long vertex = cameFrom.containsKey(to) ? to : null;
        while (vertex != null) {
            names.addFirst(graph.name(vertex));
            vertex = vertex == from ? null : cameFrom.get(vertex);
        }
        return List.copyOf(names);
    }

    /** Returns the number of references on the path, or -1 if there is no path. */
    public int steps() {
        return classes.size() - 1;
    }
}
