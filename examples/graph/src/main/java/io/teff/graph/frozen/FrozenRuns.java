package io.teff.graph.frozen;

import io.teff.graph.load.EdgeSorter;
import io.teff.graph.load.SortedRuns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes sorted runs, bucket by bucket in any order, and joins them to the arrays of a graph.
 *
 * <p>Only the buckets in front of a bucket tell its place. Therefore each bucket is kept in memory of its own until all
 * buckets are there, and then copied.
 */
final class FrozenRuns implements SortedRuns {
    private final EdgeSorter sorter;
    private final Arena arena;
    private final int[] degrees;
    private final @Nullable Bucket[] buckets;

    /** The runs of a bucket, in memory that ends with the bucket. */
    private record Bucket(Arena memory, int count, MemorySegment targets, @Nullable MemorySegment weights) {}

    FrozenRuns(EdgeSorter sorter, Arena arena) {
        this.sorter = sorter;
        this.arena = arena;
        degrees = new int[sorter.vertexCount()];
        buckets = new Bucket[sorter.bucketCount()];
    }

    @Override
    public void runs(int bucket, int first, int count, int[] ends, int[] targets, double @Nullable [] weights) {
        int before = 0;
        for (int i = 0; i < count; i++) {
            degrees[first + i] = ends[i] - before;
            before = ends[i];
        }
        Arena memory = Arena.ofShared();
        MemorySegment kept = memory.allocate(Math.max(before, 1) * (long) FrozenGraph.TARGET_BYTES, Long.BYTES);
        FrozenGraph.putTargets(targets, 0, kept, 0, before);
        MemorySegment keptWeights = null;
        if (weights != null) {
            keptWeights = memory.allocate(Math.max(before, 1) * (long) Double.BYTES, Long.BYTES);
            FrozenGraph.putWeights(weights, 0, keptWeights, 0, before);
        }
        buckets[bucket] = new Bucket(memory, before, kept, keptWeights);
    }

    FrozenGraph end() {
        long[] starts = FrozenGraph.starts(degrees);
        long arcs = starts[degrees.length];
        MemorySegment targets = arena.allocate(Math.max(arcs, 1) * FrozenGraph.TARGET_BYTES, Long.BYTES);
        MemorySegment weights = sorter.isWeighted()
            ? arena.allocate(Math.max(arcs, 1) * Double.BYTES, Long.BYTES) : null;
        long place = 0;
        List<Arena> ended = new ArrayList<>();
        for (Bucket bucket : buckets) {
            if (bucket == null) {
                continue;
            }
            MemorySegment.copy(bucket.targets, 0, targets, place * FrozenGraph.TARGET_BYTES,
                (long) bucket.count * FrozenGraph.TARGET_BYTES);
            if (weights != null && bucket.weights != null) {
                MemorySegment.copy(bucket.weights, 0, weights, place * Double.BYTES,
                    (long) bucket.count * Double.BYTES);
            }
            place += bucket.count;
            ended.add(bucket.memory);
        }
        ended.forEach(Arena::close);
        return new FrozenGraph(sorter.isDirected(), starts, targets, weights);
    }
}
