package io.teff.graph.load;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sorts the arcs of one bucket into runs; its arrays are used again for the next bucket. */
final class RunSorter {
    private static final int ARCS_MAX = Integer.MAX_VALUE - 8;

    private final boolean keepsDuplicates;
    private int[] ends = new int[0];
    private int[] targets = new int[0];
    private double @Nullable [] weights;
    private long[] keys = new long[0];
    private double[] sorted = new double[0];

    RunSorter(boolean keepsDuplicates, boolean isWeighted) {
        this.keepsDuplicates = keepsDuplicates;
        this.weights = isWeighted ? new double[0] : null;
    }

    int[] ends() {
        return ends;
    }

    int[] targets() {
        return targets;
    }

    double @Nullable [] weights() {
        return weights;
    }

    /** Joins what all threads have staged for a bucket of {@code count} vertices. */
    void sort(Staging[] staged, int bucket, int count) {
        long arcs = 0;
        for (Staging staging : staged) {
            arcs += staging.count(bucket);
        }
        if (arcs > ARCS_MAX) {
            throw new IllegalArgumentException("bucket " + bucket + " has " + arcs + " arcs; at most " + ARCS_MAX);
        }
        if (ends.length < count) {
            ends = new int[count];
        }
        Arrays.fill(ends, 0, count, 0);
        if (targets.length < arcs) {
            targets = new int[(int) arcs];
            weights = weights == null ? null : new double[(int) arcs];
        }
        for (Staging staging : staged) {
            staging.count(bucket, ends);
        }
        int place = 0;
        for (int i = 0; i < count; i++) {                     // from counts to places
            int length = ends[i];
            ends[i] = place;
            place += length;
        }
        for (Staging staging : staged) {
            staging.place(bucket, ends, targets, weights);    // from first places to ends
        }
        int from = 0;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int to = ends[i];
            kept = weights == null ? plain(from, to, kept) : weighted(weights, from, to, kept);
            ends[i] = kept;
            from = to;
        }
    }

    /** Sorts a run and moves the run to its new place; returns the new end. */
    private int plain(int from, int to, int place) {
        final int[] run = targets;
        if (to - from > 1) {
            Arrays.sort(run, from, to);
        }
        int end = place;
        int before = -1;
        for (int i = from; i < to; i++) {
            int target = run[i];
            if (target != before || keepsDuplicates) {
                run[end++] = target;
                before = target;
            }
        }
        return end;
    }

    /** Sorts a run by target, then weight. */
    private int weighted(double[] all, int from, int to, int place) {
        int count = to - from;
        if (keys.length < count) {
            keys = new long[count];
            sorted = new double[count];
        }
        for (int i = 0; i < count; i++) {
            keys[i] = (long) targets[from + i] << Integer.SIZE | i;
            sorted[i] = all[from + i];
        }
        Arrays.sort(keys, 0, count);
        int end = place;
        int before = -1;
        int first = place;                                    // of the arcs to the same target
        for (int i = 0; i < count; i++) {
            int target = (int) (keys[i] >>> Integer.SIZE);
            double weight = sorted[(int) keys[i]];
            if (target != before) {
                first = end;
            } else if (!keepsDuplicates) {
                all[first] = Math.min(all[first], weight);
                continue;
            }
            int at = end++;
            while (at > first && Double.compare(all[at - 1], weight) > 0) {
                all[at] = all[at - 1];
                at--;
            }
            targets[end - 1] = target;
            all[at] = weight;
            before = target;
        }
        return end;
    }
}
