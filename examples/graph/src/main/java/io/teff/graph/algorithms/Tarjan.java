package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;

/**
 * Tarjan's algorithm for the open vertices of a graph, without recursion. Copies the arcs between open vertices,
 * because a depth-first search goes on in the middle of runs.
 *
 * <p>{@code lows} is 0 for a vertex not yet visited, the smallest index on the stack that the vertex reaches while the
 * vertex is on the stack, and {@code DONE} afterwards.
 */
final class Tarjan {
    private static final int DONE = Integer.MAX_VALUE;
    private static final int VISITS_PER_CHECK = 1 << 16;

    private final Team team;
    private final int[] components;
    private final IntRows rows;
    private final int[] lows;
    private final int[] done;
    private final IntList path = new IntList();
    private final IntList stack = new IntList();
    private int visited;

    Tarjan(Adjacency graph, Team team, int[] components) {
        this.team = team;
        this.components = components;
        rows = openArcs(graph, team, components);
        lows = new int[components.length];
        done = new int[components.length];
    }

    private static IntRows openArcs(Adjacency graph, Team team, int[] components) {
        int[] lengths = new int[components.length];
        Neighbours[] cursors = team.each(Neighbours[]::new, worker -> graph.neighbours());
        team.forEach(lengths.length, (from, to, worker) -> {
            for (int vertex = from; vertex < to; vertex++) {
                int length = 0;
                if (components[vertex] < 0) {
                    for (int left = cursors[worker].open(vertex); left > 0; left--) {
                        length += components[cursors[worker].next()] < 0 ? 1 : 0;
                    }
                }
                lengths[vertex] = length;
            }
        });
        IntRows rows = new IntRows(IntRows.offsets(lengths));
        team.forEach(lengths.length, (from, to, worker) -> {
            for (int vertex = from; vertex < to; vertex++) {
                int[] page = rows.page(vertex);
                int at = rows.from(vertex);
                for (int left = lengths[vertex] == 0 ? 0 : cursors[worker].open(vertex); left > 0; left--) {
                    int next = cursors[worker].next();
                    if (components[next] < 0) {
                        page[at++] = next;
                    }
                }
            }
        });
        return rows;
    }

    void run() {
        for (int root = 0; root < lows.length; root++) {
            if (components[root] < 0 && lows[root] == 0) {
                search(root);
            }
        }
    }

    private void search(int root) {
        begin(root);
        while (path.size() > 0) {
            int vertex = path.get(path.size() - 1);
            int[] page = rows.page(vertex);
            int from = rows.from(vertex);
            int length = rows.length(vertex);
            int deeper = -1;
            while (done[vertex] < length && deeper < 0) {
                int next = page[from + done[vertex]];
                if (lows[next] == 0) {
                    deeper = next;                   // looked at again when the search comes back
                } else {
                    if (lows[next] < lows[vertex]) {
                        lows[vertex] = lows[next];
                    }
                    done[vertex]++;
                }
            }
            if (deeper >= 0) {
                begin(deeper);
            } else {
                path.removeLast();
                end(vertex);
            }
        }
    }

    private void begin(int vertex) {
        if (visited % VISITS_PER_CHECK == 0) {
            team.check();
        }
        visited++;
        lows[vertex] = visited;
        components[vertex] = -1 - visited;           // its index, until the component is known
        path.add(vertex);
        stack.add(vertex);
    }

    /** Takes the component off the stack, if the vertex is the first of its component. */
    private void end(int vertex) {
        if (lows[vertex] != -1 - components[vertex]) {
            return;
        }
        int smallest = vertex;
        int begin = stack.size();
        do {
            begin--;
            smallest = Math.min(smallest, stack.get(begin));
        } while (stack.get(begin) != vertex);
        while (stack.size() > begin) {
            int member = stack.removeLast();
            components[member] = smallest;
            lows[member] = DONE;
        }
    }
}
