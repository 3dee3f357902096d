package io.teff.graph.store;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import org.jspecify.annotations.Nullable;

/** Checks the runs of a graph. */
final class GraphAudit {
    private GraphAudit() {}

    /**
     * Checks a graph.
     *
     * @param reversed the graph itself if it has no direction; null if there is no reverse
     * @throws IllegalStateException naming the first violation
     */
    static void check(Adjacency graph, @Nullable Adjacency reversed) {
        long arcs = 0;
        long sum = 0;
        Neighbours cursor = graph.neighbours();
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            int length = cursor.open(vertex);
            arcs += length;
            sum += checkRun(cursor, length, vertex, graph.vertexCount());
        }
        if (arcs != graph.arcCount()) {
            throw new IllegalStateException("the runs have " + arcs + " arcs, the header " + graph.arcCount());
        }
        if (reversed != null) {
            Neighbours other = reversed.neighbours();
            for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
                sum -= backward(other, vertex);
            }
            if (sum != 0) {
                name(graph, reversed);
            }
        }
    }

    /** Checks order and range of a run; returns a sum over its arcs that does not depend on their order. */
    private static long checkRun(Neighbours cursor, int length, int vertex, int vertexCount) {
        int before = 0;
        long sum = 0;
        for (int left = length; left > 0; left--) {
            int target = cursor.next();
            if (target < before || target >= vertexCount) {
                throw new IllegalStateException("vertex " + vertex + " has the neighbour " + target + " behind "
                    + before + " in a graph of " + vertexCount + " vertices");
            }
            before = target;
            sum += mix(vertex, target);
        }
        return sum;
    }

    private static long backward(Neighbours cursor, int vertex) {
        long sum = 0;
        for (int left = cursor.open(vertex); left > 0; left--) {
            sum += mix(cursor.next(), vertex);
        }
        return sum;
    }

    private static long mix(int source, int target) {
        long x = ((long) source << Integer.SIZE | target) * 0x9E37_79B9_7F4A_7C15L;
        return (x ^ x >>> 29) * 0xBF58_476D_1CE4_E5B9L;
    }

    /** Finds an arc that is in one of its runs only, and throws. */
    private static void name(Adjacency graph, Adjacency reversed) {
        Neighbours cursor = graph.neighbours();
        Neighbours other = reversed.neighbours();
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            missing(cursor, other, vertex, "forward");
            missing(other, cursor, vertex, "backward");
        }
        throw new IllegalStateException("the runs forward and backward differ");
    }

    private static void missing(Neighbours here, Neighbours there, int vertex, String direction) {
        int[] run = new int[here.open(vertex)];
        here.next(run, run.length);
        for (int target : run) {
            boolean isFound = false;
            for (int left = there.open(target); left > 0 && !isFound; left--) {
                isFound = there.next() == vertex;
            }
            if (!isFound) {
                throw new IllegalStateException("the edge between " + vertex + " and " + target + " is only in the run "
                    + direction + " of vertex " + vertex);
            }
        }
    }
}
