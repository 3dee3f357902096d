package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;

/**
 * Lengths of shortest paths from one vertex, with weights of arcs, by delta stepping.
 *
 * <p>The length of a path is the sum of its weights, added from the first arc to the last and rounded to double each
 * time. A vertex without a path has the length {@link Double#POSITIVE_INFINITY}, the source has 0. Weights are finite
 * and not negative. In a graph without weights, each weight is 1. An addition of doubles is monotone, so the least
 * length does not depend on the order of the work: the result is the same for any number of threads and any delta, bit
 * by bit, and equals the result of Dijkstra's algorithm.
 *
 * <p>A bucket holds vertices whose length is within one delta. Threads take a bucket together, shorten the lengths of
 * the neighbours, and put shortened vertices into buckets of their own. A thread goes on with the current bucket alone
 * as long as its share is short, so a long chain costs few meetings. Buckets far ahead share one list, so the memory
 * does not depend on the weights. Time O(m + n + d L / delta) on average for random weights, with the degree d and the
 * greatest length L; each stale entry costs a look. Memory 8 bytes for each vertex, and 4 bytes for each entry of a
 * bucket.
 *
 * <p>U. Meyer and P. Sanders, "Delta-stepping: a parallelizable shortest path algorithm", Journal of Algorithms 2003;
 * S. Beamer and others, "The GAP benchmark suite", 2015; Y. Zhang and others, "Optimizing ordered graph algorithms with
 * GraphIt", CGO 2020 (bucket fusion).
 */
public final class ShortestPaths {
    static final int WINDOW = 512;           // buckets that have lists of their own

    private static final VarHandle DOUBLES = MethodHandles.arrayElementVarHandle(double[].class);
    private static final int RANGE = 64;
    private static final int FUSED_MAX = 1000;
    private static final int SAMPLES = 1000;
    private static final double STEPS_PER_MEAN = 0.25;

    private final Team team;
    private final double[] lengths;
    private final double inverse;
    private final Worker[] workers;
    private int[] bucket = new int[1];
    private double base;             // number of the first bucket of the window
    private boolean infinite;

    private ShortestPaths(Adjacency graph, Team team, int source, double delta) {
        this.team = team;
        inverse = 1 / delta;
        lengths = new double[graph.vertexCount()];
        Arrays.fill(lengths, Double.POSITIVE_INFINITY);
        lengths[source] = 0;
        bucket[0] = source;
        workers = team.each(Worker[]::new, worker -> new Worker(graph.neighbours()));
    }

    /**
     * Lengths from a vertex, with a delta that fits the graph.
     *
     * @param graph with weights of 0 or more
     * @param team the threads
     * @param source the vertex at which the paths begin
     * @return one for each vertex; infinite for a vertex without a path
     * @throws IllegalArgumentException if an arc of a vertex with a path has a weight below 0, infinite or not a number
     * @throws ArithmeticException if the length of a shortest path exceeds the greatest double
     * @throws IndexOutOfBoundsException if the source is outside of the graph
     * @see #lengths(Adjacency, Team, int, double)
     */
    public static double[] lengths(Adjacency graph, Team team, int source) {
        return lengths(graph, team, source, delta(graph));
    }

    /**
     * Lengths from a vertex.
     *
     * @param graph with weights of 0 or more
     * @param team the threads
     * @param source the vertex at which the paths begin
     * @param delta width of a bucket, finite and above 0; changes the time alone
     * @return one for each vertex
     * @throws IllegalArgumentException if an arc of a vertex with a path has a weight below 0, infinite or not a number
     * @throws ArithmeticException if the length of a shortest path exceeds the greatest double
     */
    public static double[] lengths(Adjacency graph, Team team, int source, double delta) {
        Objects.checkIndex(source, graph.vertexCount());
        if (!(delta > 0 && 1 / delta > 0 && 1 / delta < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("delta=" + delta + ", not a finite number above 0");
        }
        ShortestPaths paths = new ShortestPaths(graph, team, source, delta);
        paths.run();
        if (paths.infinite) {
            paths.checkOverflow();
        }
        return paths.lengths;
    }

    /** A width of buckets from a sample of the arcs: a quarter of the mean weight, divided by the mean degree. */
    static double delta(Adjacency graph) {
        if (!graph.weighted() || graph.arcCount() == 0) {
            return 1;
        }
        Neighbours cursor = graph.neighbours();
        int step = Math.max(1, graph.vertexCount() / SAMPLES);
        double sum = 0;
        long count = 0;
        for (long vertex = 0; vertex < graph.vertexCount(); vertex += step) {
            for (int left = Math.min(RANGE, cursor.open((int) vertex)); left > 0; left--) {
                cursor.next();
                sum += cursor.weight();
                count++;
            }
        }
        double degree = (double) graph.arcCount() / graph.vertexCount();
        double delta = sum / Math.max(1, count) / Math.max(1, degree) * STEPS_PER_MEAN;
        return delta > Double.MIN_NORMAL && delta < Double.MAX_VALUE ? delta : 1;
    }

    // ---- the window of buckets ----

    private void run() {
        int count = 1;
        int slot = 0;
        for (long rounds = 0; count > 0; rounds++) {
            int now = slot;
            int[] all = bucket;
            team.report("shortest paths", rounds, -1);
            team.forEach(count, RANGE, (from, to, worker) -> workers[worker].take(all, from, to, now));
            slot = nextSlot(slot);
            if (slot < 0) {
                slot = moveWindow();
            }
            count = slot < 0 ? 0 : gather(slot);
        }
    }

    private int nextSlot(int slot) {
        for (int next = slot; next < WINDOW; next++) {
            for (Worker worker : workers) {
                if (worker.near[next].size() > 0) {
                    return next;
                }
            }
        }
        return -1;
    }

    /** Begins the window at the least bucket in the lists of far vertices; -1 if there is none. */
    private int moveWindow() {
        double behind = base + WINDOW;
        double least = Double.POSITIVE_INFINITY;
        for (Worker worker : workers) {
            for (int i = 0; i < worker.far.size(); i++) {
                double number = number(lengths[worker.far.get(i)]);
                if (number >= behind) {              // otherwise a shorter path was found in the meantime
                    least = Math.min(least, number);
                }
            }
        }
        if (least == Double.POSITIVE_INFINITY) {
            return -1;
        }
        base = least;
        for (Worker worker : workers) {
            worker.refill(behind);
        }
        return 0;
    }

    private int gather(int slot) {
        long count = 0;
        for (Worker worker : workers) {
            count += worker.near[slot].size();
        }
        int size = Math.toIntExact(count);
        if (bucket.length < size) {
            bucket = new int[(int) Math.min(Integer.MAX_VALUE - Byte.SIZE, Math.max(size, bucket.length * 2L))];
        }
        int at = 0;
        for (Worker worker : workers) {
            worker.near[slot].copyTo(bucket, at);
            at += worker.near[slot].size();
            worker.near[slot].clear();
        }
        return size;
    }

    /** Number of the bucket of a length; monotone. */
    private double number(double length) {
        return Math.min(Math.floor(length * inverse), Double.MAX_VALUE);
    }

    private void checkOverflow() {
        Neighbours cursor = workers[0].cursor;
        for (int vertex = 0; vertex < lengths.length; vertex++) {
            if (lengths[vertex] < Double.POSITIVE_INFINITY) {
                for (int left = cursor.open(vertex); left > 0; left--) {
                    int next = cursor.next();
                    if (lengths[next] == Double.POSITIVE_INFINITY) {
                        throw new ArithmeticException("the path to vertex " + next + " is longer than a double");
                    }
                }
            }
        }
    }

    /** One thread: its cursor and its buckets. */
    private final class Worker {
        final Neighbours cursor;
        final IntList[] near = new IntList[WINDOW];
        IntList far = new IntList();

        Worker(Neighbours cursor) {
            this.cursor = cursor;
            Arrays.setAll(near, slot -> new IntList());
        }

        void take(int[] all, int from, int to, int slot) {
            double first = base + slot;
            for (int i = from; i < to; i++) {
                relaxAll(all[i], first);
            }
            IntList own = near[slot];
            for (int fused = 0; own.size() > 0 && own.size() < FUSED_MAX; fused++) {
                if (fused % FUSED_MAX == 0) {
                    team.check();
                }
                relaxAll(own.removeLast(), first);
            }
        }

        private void relaxAll(int vertex, double first) {
            double length = (double) DOUBLES.getOpaque(lengths, vertex);
            if (number(length) < first) {            // stale: the vertex was in an earlier bucket
                return;
            }
            for (int left = cursor.open(vertex); left > 0; left--) {
                int next = cursor.next();
                double weight = cursor.weight();
                double sum = length + weight;
                if (!(weight >= 0)) {
                    throw new IllegalArgumentException("weight=" + weight + " of an arc of vertex " + vertex);
                }
                if (sum < (double) DOUBLES.getOpaque(lengths, next)) {
                    relax(next, sum);
                } else if (sum == Double.POSITIVE_INFINITY) {
                    sawInfinity(vertex, weight);
                }
            }
        }

        private void relax(int vertex, double sum) {
            double known = (double) DOUBLES.getOpaque(lengths, vertex);
            while (sum < known) {
                double witness = (double) DOUBLES.compareAndExchange(lengths, vertex, known, sum);
                if (witness == known) {
                    push(vertex, number(sum) - base);
                    return;
                }
                known = witness;
            }
        }

        private void push(int vertex, double slot) {
            if (slot < WINDOW) {
                near[(int) slot].add(vertex);
            } else {
                far.add(vertex);
            }
        }

        void refill(double behind) {
            IntList old = far;
            far = new IntList();
            for (int i = 0; i < old.size(); i++) {
                double number = number(lengths[old.get(i)]);
                if (number >= behind) {
                    push(old.get(i), number - base);
                }
            }
        }

        private void sawInfinity(int vertex, double weight) {
            if (weight == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("weight=" + weight + " of an arc of vertex " + vertex);
            }
            infinite = true;                         // any thread; read after the loops
        }
    }
}
