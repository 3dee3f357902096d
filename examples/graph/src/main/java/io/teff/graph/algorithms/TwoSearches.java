package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Searches forward and backward from the open vertex with the most arcs. The vertices that both searches reach are a
 * strongly connected component.
 */
final class TwoSearches {
    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final byte FORWARD = 1;
    private static final byte BACKWARD = 2;

    private TwoSearches() {}

    static void run(Adjacency graph, Team team, int[] components) {
        Adjacency reverse = graph.reversed();
        int pivot = -1;
        long most = -1;
        for (int vertex = 0; vertex < components.length; vertex++) {
            if (components[vertex] == StrongComponents.Trimming.OPEN) {
                long arcs = (long) graph.degree(vertex) * reverse.degree(vertex);
                if (arcs > most) {
                    most = arcs;
                    pivot = vertex;
                }
            }
        }
        if (pivot < 0) {
            return;
        }
        byte[] reached = new byte[components.length];
        search(graph, team, components, reached, pivot, FORWARD);
        if (graph.directed()) {
            search(reverse, team, components, reached, pivot, BACKWARD);
        }
        byte all = graph.directed() ? FORWARD | BACKWARD : FORWARD;
        int smallest = 0;
        while (reached[smallest] != all) {
            smallest++;
        }
        for (int vertex = smallest; vertex < components.length; vertex++) {
            if (reached[vertex] == all) {
                components[vertex] = smallest;
            }
        }
    }

    private static void search(Adjacency graph, Team team, int[] components, byte[] reached, int root, byte bit) {
        Neighbours[] cursors = team.each(Neighbours[]::new, worker -> graph.neighbours());
        IntList[] found = team.each(IntList[]::new, worker -> new IntList());
        int[] level = {root};
        reached[root] = (byte) (reached[root] | bit);
        while (level.length > 0) {
            int[] now = level;
            team.forEach(now.length, (from, to, worker) -> {
                Neighbours cursor = cursors[worker];
                for (int i = from; i < to; i++) {
                    for (int left = cursor.open(now[i]); left > 0; left--) {
                        int next = cursor.next();
                        if (components[next] == StrongComponents.Trimming.OPEN
                                && ((byte) BYTES.getOpaque(reached, next) & bit) == 0
                                && ((byte) BYTES.getAndBitwiseOr(reached, next, bit) & bit) == 0) {
                            found[worker].add(next);
                        }
                    }
                }
            });
            level = IntList.join(found);
        }
    }
}
