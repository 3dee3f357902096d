package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Core numbers: the core number of a vertex is the greatest k such that the vertex is in a part of the graph in which
 * each vertex has k neighbours or more. Directions, loops and repeated arcs do not count.
 *
 * <p>With one thread: vertices lie in buckets by degree, and the vertex of the least degree leaves again and again.
 * Time O(n + m). With several threads: each thread takes vertices of the least degree and follows the vertices that
 * fall to this degree by itself, so there is one meeting of the threads for each core number. Time O(n k + m) for k
 * different core numbers; vertices that have left are dropped from the list. Memory 4 bytes for each arc of the simple
 * graph, and 28 bytes for each vertex. The result does not depend on the threads.
 *
 * <p>V. Batagelj and M. Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003; H. Kabir and K.
 * Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW 2017.
 */
public final class Cores {
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int TOGETHER_MIN = 64;      // fewer vertices are not worth a message to other threads
    private static final int ROUNDS_PER_CHECK = 1 << 16;

    private Cores() {}

    /**
     * Core numbers of all vertices.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @return one for each vertex
     */
    public static int[] numbers(Adjacency graph, Team team) {
        IntRows rows = SimpleGraphs.whole(graph, team);
        int[] degrees = new int[rows.count()];
        Arrays.setAll(degrees, rows::length);
        return team.threads() == 1 ? new Peeling(rows, degrees).run(team) : peelTogether(rows, degrees, team);
    }

    /**
     * An order in which each vertex has as few neighbours behind itself as its core number allows.
     *
     * @return the vertices, the first to leave first
     */
    static int[] degeneracyOrder(IntRows rows, Team team) {
        int[] degrees = new int[rows.count()];
        Arrays.setAll(degrees, rows::length);
        Peeling peeling = new Peeling(rows, degrees);
        peeling.run(team);
        return peeling.order;
    }

    /** Buckets in one array: vertices by degree, with the place of each vertex and the first place of each degree. */
    private static final class Peeling {
        private final IntRows rows;
        private final int[] degrees;
        private final int[] order;
        private final int[] places;
        private final int[] starts;

        Peeling(IntRows rows, int[] degrees) {
            this.rows = rows;
            this.degrees = degrees;
            int most = Arrays.stream(degrees).max().orElse(0);
            starts = new int[most + 2];
            for (int degree : degrees) {
                starts[degree + 1]++;
            }
            Arrays.parallelPrefix(starts, Integer::sum);
            int[] next = starts.clone();
            order = new int[degrees.length];
            places = new int[degrees.length];
            for (int vertex = 0; vertex < degrees.length; vertex++) {
                places[vertex] = next[degrees[vertex]]++;
                order[places[vertex]] = vertex;
            }
        }

        int[] run(Team team) {
            for (int place = 0; place < order.length; place++) {
                if (place % ROUNDS_PER_CHECK == 0) {
                    team.check();
                    team.report("cores", place, order.length);
                }
                remove(order[place]);
            }
            return degrees;
        }

        private void remove(int vertex) {
            int[] page = rows.page(vertex);
            int end = rows.to(vertex);
            int degree = degrees[vertex];
            for (int i = rows.from(vertex); i < end; i++) {
                if (degrees[page[i]] > degree) {
                    lower(page[i]);
                }
            }
        }

        /** Swaps a vertex with the first of its bucket, and moves the start of the bucket behind the vertex. */
        private void lower(int vertex) {
            int degree = degrees[vertex]--;
            int place = places[vertex];
            int start = starts[degree]++;
            int first = order[start];
            order[start] = vertex;
            places[vertex] = start;
            order[place] = first;
            places[first] = place;
        }
    }

    private static int[] peelTogether(IntRows rows, int[] degrees, Team team) {
        int[] left = new int[degrees.length];
        Arrays.setAll(left, vertex -> vertex);
        IntList[] stacks = team.each(IntList[]::new, worker -> new IntList());
        int level = -1;
        for (int count = left.length; count > 0;) {
            int least = Integer.MAX_VALUE;
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int degree = degrees[left[i]];
                if (degree > level) {
                    left[kept++] = left[i];
                    least = Math.min(least, degree);
                }
            }
            count = kept;
            level = least;
            int now = level;
            team.report("cores", (long) degrees.length - count, degrees.length);
            team.check();
            int found = 0;
            for (int i = 0; i < count; i++) {
                if (degrees[left[i]] == now) {
                    stacks[found++ % stacks.length].add(left[i]);
                }
            }
            followAll(rows, degrees, stacks, now, found < team.grain(TOGETHER_MIN) ? null : team);
        }
        return degrees;
    }

    /** Empties the stacks: on the calling thread if there is no team. */
    private static void followAll(IntRows rows, int[] degrees, IntList[] stacks, int level, @Nullable Team team) {
        if (team != null) {
            team.run(worker -> follow(rows, degrees, stacks[worker], level));
        } else {
            for (IntList stack : stacks) {
                follow(rows, degrees, stack, level);
            }
        }
    }

    private static void follow(IntRows rows, int[] degrees, IntList stack, int level) {
        while (stack.size() > 0) {
            int vertex = stack.removeLast();
            int[] page = rows.page(vertex);
            int end = rows.to(vertex);
            for (int i = rows.from(vertex); i < end; i++) {
                int next = page[i];
                if ((int) INTS.getOpaque(degrees, next) > level && lower(degrees, next, level)) {
                    stack.add(next);
                }
            }
        }
    }

    /**
     * Takes one neighbour from a vertex, unless other threads have lowered the vertex to the level in the meantime.
     *
     * @return whether this call has lowered the vertex to the level
     */
    static boolean lower(int[] degrees, int vertex, int level) {
        int before = (int) INTS.getAndAdd(degrees, vertex, -1);
        if (before <= level) {
            INTS.getAndAdd(degrees, vertex, 1);
        }
        return before == level + 1;
    }
}
