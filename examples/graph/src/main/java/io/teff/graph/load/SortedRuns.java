package io.teff.graph.load;

import org.jspecify.annotations.Nullable;

/** Takes sorted runs of neighbours, bucket by bucket. */
public interface SortedRuns {
    /**
     * Takes the runs of one bucket: the run of vertex {@code first + i} is in {@code targets} from {@code ends[i - 1]}
     * (0 for the first) to {@code ends[i]}. Called once for each bucket, in any order, by several threads. The arrays
     * belong to the caller after the call.
     *
     * @param bucket number of the bucket
     * @param first first vertex of the bucket
     * @param count number of vertices
     * @param ends end of each run
     * @param targets the runs, each sorted
     * @param weights weight of each arc; null if the graph has none
     */
    void runs(int bucket, int first, int count, int[] ends, int[] targets, double @Nullable [] weights);

    /**
     * Returns whether a bucket is there already, from an earlier load that has ended early. Its edges are not sorted.
     *
     * @param bucket number of the bucket
     * @return whether {@link #runs} is not called for the bucket
     */
    default boolean isDone(int bucket) {
        return false;
    }
}
