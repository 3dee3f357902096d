package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import java.util.Arrays;

/**
 * Copies of a graph for algorithms of simple undirected graphs, see {@link SimpleCursor}: whole, or with each edge once
 * in the row of one of its ends.
 */
final class SimpleGraphs {
    /** Marks an entry whose arc has no opposite arc; the other bits are the vertex. */
    static final int ONE_WAY = 1 << 31;

    private SimpleGraphs() {}

    static SimpleCursor[] cursors(Adjacency graph, Team team) {
        return team.each(SimpleCursor[]::new, worker -> new SimpleCursor(graph));
    }

    /** Number of neighbours of each vertex. */
    static int[] degrees(Team team, SimpleCursor[] cursors, int vertexCount) {
        int[] degrees = new int[vertexCount];
        team.forEach(vertexCount, (from, to, worker) -> {
            SimpleCursor cursor = cursors[worker];
            for (int vertex = from; vertex < to; vertex++) {
                cursor.open(vertex);
                int degree = 0;
                while (cursor.next() >= 0) {
                    degree++;
                }
                degrees[vertex] = degree;
            }
        });
        return degrees;
    }

    /** All neighbours of each vertex in ascending order. */
    static IntRows whole(Adjacency graph, Team team) {
        SimpleCursor[] cursors = cursors(graph, team);
        IntRows rows = new IntRows(IntRows.offsets(degrees(team, cursors, graph.vertexCount())));
        team.forEach(rows.count(), (from, to, worker) -> {
            SimpleCursor cursor = cursors[worker];
            for (int vertex = from; vertex < to; vertex++) {
                int[] page = rows.page(vertex);
                int at = rows.from(vertex);
                cursor.open(vertex);
                for (int next; (next = cursor.next()) >= 0;) {
                    page[at++] = next;
                }
            }
        });
        return rows;
    }

    /**
     * The vertices by descending degree, vertices of one degree by ascending number. A counting sort.
     *
     * @return the old number of each new number
     */
    static int[] byDegree(int[] degrees) {
        int most = 0;
        for (int degree : degrees) {
            most = Math.max(most, degree);
        }
        int[] starts = new int[most + 2];
        for (int degree : degrees) {
            starts[most - degree + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] order = new int[degrees.length];
        for (int vertex = 0; vertex < degrees.length; vertex++) {
            order[starts[most - degrees[vertex]]++] = vertex;
        }
        return order;
    }

    /** The place of each vertex in an order. */
    static int[] ranks(int[] order) {
        int[] ranks = new int[order.length];
        for (int rank = 0; rank < order.length; rank++) {
            ranks[order[rank]] = rank;
        }
        return ranks;
    }

    /**
     * Each edge once, in the row of the end with the greater rank. Rows and entries are ranks. An entry has
     * {@link #ONE_WAY} if there is an arc in one direction only.
     */
    static IntRows oriented(Team team, SimpleCursor[] cursors, int[] order, int[] ranks) {
        int[] lengths = new int[order.length];
        team.forEach(order.length, (from, to, worker) -> {
            SimpleCursor cursor = cursors[worker];
            for (int rank = from; rank < to; rank++) {
                int length = 0;
                cursor.open(order[rank]);
                for (int next; (next = cursor.next()) >= 0;) {
                    length += ranks[next] < rank ? 1 : 0;
                }
                lengths[rank] = length;
            }
        });
        IntRows rows = new IntRows(IntRows.offsets(lengths));
        team.forEach(order.length, (from, to, worker) -> {
            SimpleCursor cursor = cursors[worker];
            for (int rank = from; rank < to; rank++) {
                int[] page = rows.page(rank);
                int at = rows.from(rank);
                cursor.open(order[rank]);
                for (int next; (next = cursor.next()) >= 0;) {
                    if (ranks[next] < rank) {
                        page[at++] = cursor.both() ? ranks[next] : ranks[next] | ONE_WAY;
                    }
                }
            }
        });
        return rows;
    }
}
