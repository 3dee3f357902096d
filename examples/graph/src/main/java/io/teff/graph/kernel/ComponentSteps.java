package io.teff.graph.kernel;

import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;

/**
 * Components by the algorithm of Sutton, Ben-Nun and Barak, "Optimizing Parallel Graph Connectivity Computation via
 * Subgraph Sampling" (2018).
 *
 * <p>Each vertex has a pointer to a vertex of its component that is not larger: a forest, whose trees are joined by
 * arcs. The first arcs of each vertex find most of the largest component; its other arcs need not be read. A pointer
 * only decreases, and the root of a tree is its smallest vertex, so the result does not depend on the order.
 */
abstract class ComponentSteps {
    /** Arcs of each vertex that are read first. */
    static final int FIRST_ARCS = 2;

    private static final int GRAIN = 1 << 12;
    private static final int SAMPLE_COUNT = 1024;
    private static final int SAMPLE_SEED = 27;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] pointers;
    private final Workers workers;
    private final boolean canSkip;

    ComponentSteps(int vertexCount, boolean canSkip, Workers workers) {
        this.pointers = new int[vertexCount];
        this.workers = workers;
        this.canSkip = canSkip;
    }

    /** Joins each vertex of a range with its first neighbours. */
    abstract void first(int from, int to);

    /** Joins each vertex of a range, except those of a component, with all its further neighbours. */
    abstract void rest(int from, int to, int skipped);

    int[] run(WorkWatch watch) {
        int count = pointers.length;
        workers.ranges(count, GRAIN, (from, to, worker) -> {
            for (int vertex = from; vertex < to; vertex++) {
                pointers[vertex] = vertex;
            }
        });
        workers.ranges(count, GRAIN, (from, to, worker) -> {
            watch.check("first arcs", from, count);
            first(from, to);
        });
        compress();
        int skipped = canSkip && count > 0 ? largest() : -1;
        workers.ranges(count, GRAIN, (from, to, worker) -> {
            watch.check("other arcs", from, count);
            rest(from, to, skipped);
        });
        compress();
        return pointers;
    }

    /** Returns whether a vertex points to a component, after the pointers were made short. */
    final boolean isIn(int vertex, int component) {
        return (int) INTS.getOpaque(pointers, vertex) == component;
    }

    /** Joins the trees of two vertices. */
    final void join(int one, int two) {
        final int[] all = pointers;
        int left = (int) INTS.getOpaque(all, one);
        int right = (int) INTS.getOpaque(all, two);
        while (left != right) {
            int high = Math.max(left, right);
            int low = Math.min(left, right);
            int above = (int) INTS.getOpaque(all, high);
            if (above == low || above == high && INTS.compareAndSet(all, high, high, low)) {
                return;
            }
            left = (int) INTS.getOpaque(all, (int) INTS.getOpaque(all, high));
            right = (int) INTS.getOpaque(all, low);
        }
    }

    /** Makes each vertex point to the root of its tree. */
    private void compress() {
        workers.ranges(pointers.length, GRAIN, (from, to, worker) -> {
            final int[] all = pointers;
            for (int vertex = from; vertex < to; vertex++) {
                int root = (int) INTS.getOpaque(all, vertex);
                for (int above = (int) INTS.getOpaque(all, root); above != root;
                     above = (int) INTS.getOpaque(all, root)) {
                    root = above;
                }
                INTS.setOpaque(all, vertex, root);
            }
        });
    }

    /** Returns the most frequent component of some vertices. */
    private int largest() {
        SplittableRandom random = new SplittableRandom(SAMPLE_SEED);
        int[] sample = random.ints(SAMPLE_COUNT, 0, pointers.length).map(vertex -> pointers[vertex]).sorted().toArray();
        int best = sample[0];
        int bestCount = 0;
        int from = 0;
        for (int i = 1; i <= sample.length; i++) {
            if (i == sample.length || sample[i] != sample[from]) {
                if (i - from > bestCount) {
                    best = sample[from];
                    bestCount = i - from;
                }
                from = i;
            }
        }
        return best;
    }
}
