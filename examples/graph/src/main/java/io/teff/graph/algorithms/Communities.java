package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Communities by label propagation, by the definition of LDBC Graphalytics: each vertex begins with a label of its own.
 * In each round, all vertices at the same time take the label that most neighbours had, and the smallest of several
 * such labels. In a directed graph, arcs from and to the vertex count, so a neighbour in both directions counts twice.
 * Each arc counts, also a loop. A vertex without arcs keeps its label.
 *
 * <p>Labels of a round are read from the round before, so the result does not depend on the threads. A round without a
 * change is the last. Time O(m) on average for each round; memory 8 bytes for each vertex, and for each thread up to 24
 * bytes for each neighbour of one vertex.
 *
 * <p>U. Raghavan, R. Albert and S. Kumara, "Near linear time algorithm to detect community structures in large-scale
 * networks", Physical Review E 2007; A. Iosup and others, "LDBC Graphalytics", VLDB 2016.
 */
public final class Communities {
    private Communities() {}

    /**
     * Spreads the numbers of the vertices as labels.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @param rounds at most, at least 0
     * @return the label of each vertex
     */
    public static int[] labels(Adjacency graph, Team team, int rounds) {
        int[] labels = new int[graph.vertexCount()];
        Arrays.setAll(labels, vertex -> vertex);
        return spread(graph, team, rounds, labels);
    }

    /**
     * Spreads given labels, for graphs whose vertices have other numbers outside.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @param rounds at most, at least 0
     * @param first the label of each vertex before the first round; not changed
     * @return the label of each vertex
     */
    public static long[] labels(Adjacency graph, Team team, int rounds, long[] first) {
        if (first.length != graph.vertexCount()) {
            throw new IllegalArgumentException("labels=" + first.length + ", vertices=" + graph.vertexCount());
        }
        long[] sorted = Arrays.stream(first).sorted().distinct().toArray();
        int[] labels = new int[first.length];
        Arrays.setAll(labels, vertex -> Arrays.binarySearch(sorted, first[vertex]));
        int[] last = spread(graph, team, rounds, labels);
        long[] named = new long[last.length];
        Arrays.setAll(named, vertex -> sorted[last[vertex]]);
        return named;
    }

    private static int[] spread(Adjacency graph, Team team, int rounds, int[] first) {
        if (rounds < 0) {
            throw new IllegalArgumentException("rounds=" + rounds + ", not at least 0");
        }
        int[] now = first;
        int[] next = new int[first.length];
        Voter[] voters = team.each(Voter[]::new, worker -> new Voter(graph));
        for (int round = 0; round < rounds; round++) {
            team.report("communities", round, rounds);
            int[] from = now;
            int[] to = next;
            AtomicBoolean changed = new AtomicBoolean();
            team.forEach(first.length, (begin, end, worker) -> {
                boolean any = false;
                for (int vertex = begin; vertex < end; vertex++) {
                    to[vertex] = voters[worker].vote(vertex, from);
                    any |= to[vertex] != from[vertex];
                }
                if (any) {
                    changed.set(true);
                }
            });
            now = to;
            next = from;
            if (!changed.get()) {
                break;
            }
        }
        return now;
    }

    /** Finds the most frequent label of the neighbours of one vertex: by sorting if few, by a hash table if many. */
    private static final class Voter {
        private static final int FEW = 24;
        private static final int COUNT_MAX = 1 << 28; // the hash table has four times as many places
        private static final int GOLDEN = 0x9E3779B9;

        private final Neighbours forward;
        private final @Nullable Neighbours backward;
        private int[] seen = new int[FEW];
        private int[] keys = new int[0];
        private int[] counts = new int[0];

        Voter(Adjacency graph) {
            forward = graph.neighbours();
            backward = graph.directed() ? graph.reversed().neighbours() : null;
        }

        int vote(int vertex, int[] labels) {
            int ahead = forward.open(vertex);
            int behind = backward == null ? 0 : backward.open(vertex);
            int count = Math.addExact(ahead, behind);
            if (count == 0) {
                return labels[vertex];
            }
            if (count > COUNT_MAX) {
                throw new IllegalArgumentException("arcs=" + count + " of vertex " + vertex + ", at most "
                    + COUNT_MAX);
            }
            if (count > seen.length) {
                seen = new int[(int) Math.min(Integer.MAX_VALUE - Byte.SIZE, count * 2L)];
            }
            for (int i = 0; i < ahead; i++) {
                seen[i] = labels[forward.next()];
            }
            if (backward != null) {
                for (int i = ahead; i < count; i++) {
                    seen[i] = labels[backward.next()];
                }
            }
            return count <= FEW ? ofFew(count) : ofMany(count);
        }

        private int ofFew(int count) {
            for (int i = 1; i < count; i++) {
                int label = seen[i];
                int at = i;
                for (; at > 0 && seen[at - 1] > label; at--) {
                    seen[at] = seen[at - 1];
                }
                seen[at] = label;
            }
            int best = seen[0];
            int most = 0;
            for (int i = 0; i < count;) {
                int begin = i;
                int label = seen[i];
                while (i < count && seen[i] == label) {
                    i++;
                }
                if (i - begin > most) {              // an equal number of a greater label does not win
                    most = i - begin;
                    best = label;
                }
            }
            return best;
        }

        /** Keys are labels + 1, so 0 is an empty place; the table is at most half full. */
        private int ofMany(int count) {
            int size = Integer.highestOneBit(count - 1) << 2;
            if (keys.length < size) {
                keys = new int[size];
                counts = new int[size];
            }
            int shift = Integer.numberOfLeadingZeros(size) + 1;
            int best = 0;
            int most = 0;
            for (int i = 0; i < count; i++) {
                int label = seen[i];
                int place = label * GOLDEN >>> shift;
                while (keys[place] != label + 1 && keys[place] != 0) {
                    place = place + 1 & size - 1;
                }
                keys[place] = label + 1;
                int votes = ++counts[place];
                if (votes > most || votes == most && label < best) {
                    most = votes;
                    best = label;
                }
            }
            Arrays.fill(keys, 0, size, 0);
            Arrays.fill(counts, 0, size, 0);
            return best;
        }
    }
}
