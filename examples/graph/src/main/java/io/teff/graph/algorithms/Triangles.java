package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Triangles: sets of three vertices with an edge between each two. Directions, loops and repeated arcs do not count.
 *
 * <p>Vertices are numbered anew by descending degree, and each edge is kept at its end with the greater number, so rows
 * are shorter than the square root of twice the number of edges. A thread sets a bit for each entry of a row, and
 * counts the set bits among the entries of the rows of these entries. Time O(m^1.5) at most; memory 4 bytes for each
 * edge, 28 bytes for each vertex, and a bit for each vertex and thread. The result is exact and does not depend on the
 * threads.
 *
 * <p>T. Schank and D. Wagner, "Finding, counting and listing all triangles in large graphs", WEA 2005 (the algorithm
 * "forward").
 */
public final class Triangles {
    private static final int RANGE = 256;
    private static final int WORD_SHIFT = 6;

    private Triangles() {}

    /**
     * Counts the triangles.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @return the number of triangles
     */
    public static long count(Adjacency graph, Team team) {
        SimpleCursor[] cursors = SimpleGraphs.cursors(graph, team);
        int vertexCount = graph.vertexCount();
        int[] order = SimpleGraphs.byDegree(SimpleGraphs.degrees(team, cursors, vertexCount));
        IntRows rows = SimpleGraphs.oriented(team, cursors, order, SimpleGraphs.ranks(order));
        long[][] marks = team.each(long[][]::new, worker -> new long[(vertexCount >>> WORD_SHIFT) + 1]);
        AtomicLong total = new AtomicLong();
        AtomicLong done = new AtomicLong();
        team.forEach(vertexCount, RANGE, (from, to, worker) -> {
            long count = 0;
            for (int vertex = from; vertex < to; vertex++) {
                count += count(rows, vertex, marks[worker]);
            }
            total.addAndGet(count);
            team.report("triangles", done.addAndGet(to - from), vertexCount);
        });
        return total.get();
    }

    private static long count(IntRows rows, int vertex, long[] marks) {
        int[] page = rows.page(vertex);
        int first = rows.from(vertex);
        int end = rows.to(vertex);
        if (end - first < 2) {
            return 0;
        }
        for (int i = first; i < end; i++) {
            int entry = page[i] & ~SimpleGraphs.ONE_WAY;
            marks[entry >>> WORD_SHIFT] |= 1L << entry;
        }
        long count = 0;
        for (int i = first; i < end; i++) {
            count += marked(rows, page[i] & ~SimpleGraphs.ONE_WAY, marks);
        }
        for (int i = first; i < end; i++) {
            marks[(page[i] & ~SimpleGraphs.ONE_WAY) >>> WORD_SHIFT] = 0;
        }
        return count;
    }

    private static long marked(IntRows rows, int vertex, long[] marks) {
        int[] page = rows.page(vertex);
        int end = rows.to(vertex);
        long count = 0;
        for (int i = rows.from(vertex); i < end; i++) {
            int entry = page[i] & ~SimpleGraphs.ONE_WAY;
            count += marks[entry >>> WORD_SHIFT] >>> entry & 1;
        }
        return count;
    }
}
