package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;

/**
 * Local clustering coefficients by the definition of LDBC Graphalytics: the number of arcs among the neighbours of a
 * vertex, divided by the number of arcs that d neighbours can have, d (d - 1). A neighbour has an arc to or from the
 * vertex. An undirected edge is two arcs. Loops and repeated arcs do not count. With fewer than two neighbours the
 * coefficient is 0.
 *
 * <p>Each triangle is found once, as in {@link Triangles}, and counts at its three corners the one or two arcs of the
 * opposite side. Time O(m^1.5) at most; memory 4 bytes for each edge, 28 bytes for each vertex, and 9 bytes for each
 * vertex and thread. Counts are whole numbers, so the result does not depend on the threads.
 *
 * <p>A. Iosup and others, "LDBC Graphalytics", VLDB 2016; D. Watts and S. Strogatz, "Collective dynamics of small-world
 * networks", Nature 1998.
 */
public final class Clustering {
    private static final int RANGE = 256;

    private Clustering() {}

    /**
     * Coefficients of all vertices.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @return one for each vertex, from 0 to 1
     */
    public static double[] coefficients(Adjacency graph, Team team) {
        SimpleCursor[] cursors = SimpleGraphs.cursors(graph, team);
        int vertexCount = graph.vertexCount();
        int[] degrees = SimpleGraphs.degrees(team, cursors, vertexCount);
        int[] order = SimpleGraphs.byDegree(degrees);
        int[] ranks = SimpleGraphs.ranks(order);
        IntRows rows = SimpleGraphs.oriented(team, cursors, order, ranks);
        byte[][] marks = team.each(byte[][]::new, worker -> new byte[vertexCount]);
        long[][] arcs = team.each(long[][]::new, worker -> new long[vertexCount]);
        team.forEach(vertexCount, RANGE, (from, to, worker) -> {
            for (int vertex = from; vertex < to; vertex++) {
                visit(rows, vertex, marks[worker], arcs[worker]);
            }
            team.report("clustering", to, vertexCount);
        });
        double[] coefficients = new double[vertexCount];
        team.forEach(vertexCount, (from, to, worker) -> {
            for (int vertex = from; vertex < to; vertex++) {
                long sum = 0;
                for (long[] part : arcs) {
                    sum += part[ranks[vertex]];
                }
                long degree = degrees[vertex];
                coefficients[vertex] = degree < 2 ? 0 : (double) sum / (degree * (degree - 1));
            }
        });
        return coefficients;
    }

    private static void visit(IntRows rows, int vertex, byte[] marks, long[] arcs) {
        int[] page = rows.page(vertex);
        int first = rows.from(vertex);
        int end = rows.to(vertex);
        if (end - first < 2) {
            return;
        }
        for (int i = first; i < end; i++) {
            marks[page[i] & ~SimpleGraphs.ONE_WAY] = (byte) arcs(page[i]);
        }
        long own = 0;
        for (int i = first; i < end; i++) {
            own += visitRow(rows, page[i], marks, arcs);
        }
        arcs[vertex] += own;
        for (int i = first; i < end; i++) {
            marks[page[i] & ~SimpleGraphs.ONE_WAY] = 0;
        }
    }

    /** Counts the triangles with one side, and returns the arcs of the sides opposite to the first corner. */
    private static long visitRow(IntRows rows, int side, byte[] marks, long[] arcs) {
        int second = side & ~SimpleGraphs.ONE_WAY;
        int sideArcs = arcs(side);
        int[] page = rows.page(second);
        int end = rows.to(second);
        long opposite = 0;
        long own = 0;
        for (int i = rows.from(second); i < end; i++) {
            int third = page[i] & ~SimpleGraphs.ONE_WAY;
            int mark = marks[third];
            int hit = -mark >> 31;                   // all bits of a triangle; a branch would be mispredicted often
            arcs[third] += sideArcs & hit;
            own += mark;
            opposite += arcs(page[i]) & hit;
        }
        arcs[second] += own;
        return opposite;
    }

    /** Number of arcs of an entry: 1 or 2. */
    private static int arcs(int entry) {
        return 2 + (entry >> 31);
    }
}
