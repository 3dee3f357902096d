package io.teff.graph.load;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sorts edges by their vertices: reads a source with several threads, and gives each vertex its sorted run.
 *
 * <pre>
 *  source:  part 0   part 1   part 2 ...          read once by free workers
 *              |        |        |
 *  staging: [bucket 0 | bucket 1 | bucket 2 ...]  of each worker: 8 bytes for each arc, 16 with weights
 *              |          |          |
 *  sorted:  runs of the vertices of one bucket    in the cache of a processor, by free workers
 * </pre>
 *
 * <p>A bucket has {@value #BUCKET_SHIFT_MIN} bits of the vertex number or more, so that there are some thousand
 * buckets at most. If the memory for staging is short, the source is read several times, each time for some of the
 * buckets. An edge without direction is staged for both of its ends.
 */
public final class EdgeSorter {
    /** Most vertices of a graph: as many as the longest array has places. */
    public static final int VERTEX_COUNT_MAX = Integer.MAX_VALUE - 8;
    /** Fewest vertices of a bucket, as bits. */
    static final int BUCKET_SHIFT_MIN = 12;

    /** Most buckets, as bits. */
    private static final int BUCKETS_SHIFT_MAX = 10;
    /** Most readings of the source. */
    private static final int PASSES_MAX = 64;

    private final EdgeSource source;
    private final LoadOptions options;
    private final Workers workers;
    private final WorkWatch watch;
    private final int vertexCount;
    private final long edgeCount;
    private final boolean isDirected;
    private final int bucketShift;

    /**
     * Finds the numbers of vertices and edges. Reads the source if the source does not tell them.
     *
     * @param source the edges
     * @param options what happens to edges
     * @param workers threads that read and sort
     * @param watch sees the progress
     * @throws IOException if the source cannot be read
     * @throws IllegalArgumentException if the source has too many vertices
     */
    public EdgeSorter(EdgeSource source, LoadOptions options, Workers workers, WorkWatch watch) throws IOException {
        EdgeCounts counts = EdgeCounts.of(source, workers, watch);
        long vertices = Math.max(counts.vertexCount(), options.vertexCountMin());
        if (vertices > VERTEX_COUNT_MAX) {
            throw new IllegalArgumentException("a graph of " + vertices + " vertices; at most " + VERTEX_COUNT_MAX);
        }
        this.source = source;
        this.options = options;
        this.workers = workers;
        this.watch = watch;
        this.vertexCount = (int) vertices;
        this.edgeCount = counts.edgeCount();
        this.isDirected = source.directed() && !options.undirected();
        this.bucketShift = Math.max(BUCKET_SHIFT_MIN, Integer.SIZE - Integer.numberOfLeadingZeros(vertexCount)
            - BUCKETS_SHIFT_MAX);
    }

    /** {@return number of vertices of the graph} */
    public int vertexCount() {
        return vertexCount;
    }

    /** {@return number of edges of the source, with loops and duplicates} */
    public long edgeCount() {
        return edgeCount;
    }

    /** {@return whether the graph has directions} */
    public boolean isDirected() {
        return isDirected;
    }

    /** {@return whether the graph has weights} */
    public boolean isWeighted() {
        return source.weighted();
    }

    /** {@return most arcs of one direction of the graph: loops and duplicates are not removed yet} */
    public long arcCountMax() {
        return isDirected ? edgeCount : 2 * edgeCount;
    }

    /** {@return number of buckets} */
    public int bucketCount() {
        return (int) Math.max((vertexCount + (1L << bucketShift) - 1) >>> bucketShift, 1);
    }

    /** {@return memory for staging if the source is read once} */
    public long stagingBytes() {
        long open = (long) workers.count() * bucketCount() * Staging.BLOCK_ARCS;
        return (arcCountMax() + Math.min(open, arcCountMax())) * Staging.arcBytes(isWeighted());
    }

    /** {@return how often the source is read} */
    public int passes() {
        return Math.clamp(Math.ceilDiv(stagingBytes(), options.sortBytesMax()), 1,
            Math.min(PASSES_MAX, bucketCount()));
    }

    /**
     * Reads the source and gives all runs to a sink.
     *
     * @param isBackward whether a directed graph is reversed
     * @param sink takes the runs
     * @throws IOException if the source cannot be read
     * @throws IllegalArgumentException if an edge has a vertex outside of the graph
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the work
     */
    public void sort(boolean isBackward, SortedRuns sink) throws IOException {
        int passes = passes();
        int bucketCount = bucketCount();
        for (int pass = 0; pass < passes; pass++) {
            int first = (int) ((long) bucketCount * pass / passes);
            int end = (int) ((long) bucketCount * (pass + 1) / passes);
            boolean[] wanted = new boolean[bucketCount];
            boolean isAny = false;
            for (int bucket = first; bucket < end; bucket++) {
                wanted[bucket] = !sink.isDone(bucket);
                isAny |= wanted[bucket];
            }
            if (isAny) {
                pass(isBackward, wanted, sink);
            }
        }
    }

    private void pass(boolean isBackward, boolean[] wanted, SortedRuns sink) throws IOException {
        Staging[] staged = new Staging[workers.count()];
        try {
            for (int worker = 0; worker < staged.length; worker++) {
                staged[worker] = new Staging(bucketCount(), isWeighted());
            }
            read(isBackward, wanted, staged);
            AtomicInteger next = new AtomicInteger();
            workers.each(worker -> {
                RunSorter sorter = new RunSorter(options.keepsDuplicates(), isWeighted());
                for (int bucket = next.getAndIncrement(); bucket < wanted.length; bucket = next.getAndIncrement()) {
                    watch.check("sort", bucket, wanted.length);
                    if (wanted[bucket]) {
                        int from = bucket << bucketShift;
                        int count = (int) Math.min(1L << bucketShift, (long) vertexCount - from);
                        sorter.sort(staged, bucket, Math.max(count, 0));
                        sink.runs(bucket, from, Math.max(count, 0), sorter.ends(), sorter.targets(), sorter.weights());
                    }
                }
            });
        } finally {
            for (Staging staging : staged) {
                if (staging != null) {
                    staging.close();
                }
            }
        }
    }

    private void read(boolean isBackward, boolean[] wanted, Staging[] staged) throws IOException {
        AtomicInteger next = new AtomicInteger();
        AtomicLong parts = new AtomicLong();
        workers.<IOException>each(worker -> {
            EdgeSink sink = new Sink(staged[worker], wanted, isBackward);
            for (int part = next.getAndIncrement(); part < source.parts(); part = next.getAndIncrement()) {
                watch.check("read", parts.getAndIncrement(), source.parts());
                source.read(part, sink);
            }
        });
    }

    /** Takes the edges of one thread. */
    private final class Sink implements EdgeSink {
        private final Staging staging;
        private final boolean[] wanted;
        private final boolean isBackward;
        private final boolean isBoth = !isDirected;
        private final boolean keepsLoops = options.keepsLoops();
        private final int shift = bucketShift;
        private final int mask = (1 << bucketShift) - 1;
        private final int count = vertexCount;

        Sink(Staging staging, boolean[] wanted, boolean isBackward) {
            this.staging = staging;
            this.wanted = wanted;
            this.isBackward = isBackward;
        }

        @Override
        public void edge(long source, long target, double weight) {
            if (source < 0 || source >= count || target < 0 || target >= count) {
                throw new IllegalArgumentException("the edge from " + source + " to " + target
                    + " is outside of a graph of " + count + " vertices");
            }
            int from = (int) (isBackward ? target : source);
            int to = (int) (isBackward ? source : target);
            if (from == to) {
                if (keepsLoops) {
                    arc(from, to, weight);
                }
                return;
            }
            arc(from, to, weight);
            if (isBoth) {
                arc(to, from, weight);
            }
        }

        private void arc(int from, int to, double weight) {
            int bucket = from >>> shift;
            if (wanted[bucket]) {
                staging.add(bucket, from & mask, to, weight);
            }
        }
    }
}
