package io.teff.graph.store;

import io.teff.engine.Store;
import io.teff.graph.load.SortedRuns;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes runs into the chunks of vertices, bucket by bucket, and marks each bucket that is whole. */
final class StoreRuns implements SortedRuns {
    /** Bytes of runs that are put at once, unless a single run is longer. */
    private static final long PART_BYTES = 1 << 22;

    private final Store store;
    private final long cid;
    private final Header header;
    private final long first;
    private final int firstBucket;

    StoreRuns(Store store, long cid, Header header, long first, int firstBucket) {
        this.store = store;
        this.cid = cid;
        this.header = header;
        this.first = first;
        this.firstBucket = firstBucket;
    }

    @Override
    public boolean isDone(int bucket) {
        return header.done()[firstBucket + bucket] != 0;
    }

    @Override
    public void runs(int bucket, int firstVertex, int count, int[] ends, int[] targets, double @Nullable [] weights) {
        int from = 0;
        while (from < count) {
            int to = from;
            int begin = from == 0 ? 0 : ends[from - 1];
            long bytes = 0;
            do {
                int length = ends[to] - (to == 0 ? 0 : ends[to - 1]);
                bytes += RunBytes.bytesMax(header.form(), length, weights != null);
                to++;
            } while (to < count && bytes < PART_BYTES);
            put(firstVertex, from, to, begin, ends, targets, weights, bytes);
            from = to;
        }
        Header.done(store, cid, firstBucket + bucket, count == 0 ? 0 : ends[count - 1]);
    }

    private void put(int firstVertex, int from, int to, int begin, int[] ends, int[] targets,
                     double @Nullable [] weights, long bytesMax) {
        long[] cids = new long[to - from];
        int[] lengths = new int[to - from];
        boolean isDirect = header.form() == RunForm.PLAIN && weights == null;
        byte[] bytes = new byte[isDirect ? 0 : Math.toIntExact(bytesMax)];
        double[] weight = weights == null ? new double[0] : weights;
        int used = 0;
        int at = 0;
        int before = begin;
        for (int i = from; i < to; i++) {
            int length = ends[i] - before;
            if (length > 0) {
                cids[used] = first + firstVertex + i;
                if (isDirect) {
                    lengths[used] = length * RunBytes.TARGET_BYTES;
                } else {
                    int end = RunBytes.write(header.form(), targets, weight, weights != null, before, length, bytes,
                        at);
                    lengths[used] = end - at;
                    at = end;
                }
                used++;
            }
            before = ends[i];
        }
        if (used == 0) {
            return;
        }
        MemorySegment source = isDirect ? MemorySegment.ofArray(targets)
            .asSlice((long) begin * RunBytes.TARGET_BYTES, (long) (before - begin) * RunBytes.TARGET_BYTES)
            : MemorySegment.ofArray(bytes);
        int[] statuses = new int[used];
        store.batch().put(cids, 0, source, used == lengths.length ? lengths : Arrays.copyOf(lengths, used), statuses);
        GraphLoader.checkAll(cids, statuses, used);
    }
}
