package io.teff.graph.names;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Edges with labels, in arrays on the Java heap: for graphs of up to some hundred million edges.
 *
 * <p>Parallel edges are one edge, whose weight is the set of their labels ({@link EdgeLabels}). An undirected edge has
 * its smaller vertex first.
 */
public final class LabelledEdges implements EdgeSource {
    private static final int PART_EDGES = 1 << 18;
    private static final int VERTEX_BITS = 32;
    private static final long VERTEX_MASK = (1L << VERTEX_BITS) - 1;

    private final long vertexCount;
    private final boolean directed;
    private final long[] pairs;
    private final long[] labels;
    private final long[] givenOf;
    private final long[] distinctOf;

    /** Collects edges, from one thread. */
    public static final class Builder {
        private static final int CAPACITY_FIRST = 1 << 10;
        private static final int CAPACITY_MAX = Integer.MAX_VALUE - 8;

        private final boolean directed;
        private final List<long[]> pairsOfLabel = new ArrayList<>();
        private final int[] counts = new int[EdgeLabels.COUNT_MAX];

        /**
         * Makes an empty collection.
         *
         * @param directed whether an edge and its reverse are different
         */
        public Builder(boolean directed) {
            this.directed = directed;
        }

        /**
         * Adds an edge.
         *
         * @param source number of a vertex, at least 0
         * @param label bit of a label, 0 to {@link EdgeLabels#COUNT_MAX} - 1
         * @param target number of a vertex, at least 0
         */
        public void add(int source, int label, int target) {
            assert source >= 0 && target >= 0 : source + " " + target;
            while (pairsOfLabel.size() <= label) {
                pairsOfLabel.add(new long[CAPACITY_FIRST]);
            }
            long[] pairs = pairsOfLabel.get(label);
            int count = counts[label];
            if (count == pairs.length) {
                pairs = Arrays.copyOf(pairs, (int) Math.min(CAPACITY_MAX, pairs.length * 2L));
                pairsOfLabel.set(label, pairs);
            }
            boolean isSwapped = !directed && source > target;
            pairs[count] = (long) (isSwapped ? target : source) << VERTEX_BITS | (isSwapped ? source : target);
            counts[label] = count + 1;
        }

        /**
         * Makes the source of the collected edges; the builder is empty afterwards.
         *
         * @param vertexCount greater than each vertex
         * @return the edges, sorted by source and target
         */
        public LabelledEdges build(long vertexCount) {
            LabelledEdges edges = new LabelledEdges(this, vertexCount);
            pairsOfLabel.clear();
            Arrays.fill(counts, 0);
            return edges;
        }
    }

    private LabelledEdges(Builder builder, long vertexCount) {
        this.vertexCount = vertexCount;
        this.directed = builder.directed;
        long[] all = new long[0];
        long[] sets = new long[0];
        givenOf = new long[builder.pairsOfLabel.size()];
        distinctOf = new long[givenOf.length];
        for (int label = 0; label < builder.pairsOfLabel.size(); label++) {
            int count = builder.counts[label];
            long[] more = builder.pairsOfLabel.get(label);
            Arrays.parallelSort(more, 0, count);
            int unique = unique(more, count);
            givenOf[label] = count;
            distinctOf[label] = unique;
            long[] merged = new long[all.length + unique];
            long[] mergedSets = new long[merged.length];
            int length = merge(all, sets, more, unique, 1L << label, merged, mergedSets);
            all = Arrays.copyOf(merged, length);
            sets = Arrays.copyOf(mergedSets, length);
        }
        pairs = all;
        labels = sets;
    }

    private static int unique(long[] sorted, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[kept++] = sorted[i];
            }
        }
        return kept;
    }

    private static int merge(long[] left, long[] leftSets, long[] right, int rightCount, long rightSet, long[] merged,
                             long[] mergedSets) {
        int l = 0;
        int r = 0;
        int length = 0;
        while (l < left.length || r < rightCount) {
            boolean isLeft = l < left.length && (r == rightCount || left[l] <= right[r]);
            boolean isRight = r < rightCount && (l == left.length || right[r] <= left[l]);
            merged[length] = isLeft ? left[l] : right[r];
            mergedSets[length++] = (isLeft ? leftSets[l] : 0) | (isRight ? rightSet : 0);
            l += isLeft ? 1 : 0;
            r += isRight ? 1 : 0;
        }
        return length;
    }

    /**
     * {@return the number of edges with a label that were added, parallel edges counted each}
     *
     * @param label bit of a label, at least 0; a bit without edges has 0 edges
     */
    public long givenCount(int label) {
        return label < givenOf.length ? givenOf[label] : 0;
    }

    /**
     * {@return the number of pairs of vertices with an edge of a label}
     *
     * @param label bit of a label, at least 0; a bit without edges has 0 pairs
     */
    public long distinctCount(int label) {
        return label < distinctOf.length ? distinctOf[label] : 0;
    }

    @Override
    public long vertexCount() {
        return vertexCount;
    }

    /** The number of pairs of vertices with an edge. */
    @Override
    public long edgeCount() {
        return pairs.length;
    }

    @Override
    public boolean directed() {
        return directed;
    }

    @Override
    public boolean weighted() {
        return true;
    }

    @Override
    public int parts() {
        return Math.max(1, Math.ceilDiv(pairs.length, PART_EDGES));
    }

    @Override
    public void read(int part, EdgeSink sink) {
        int end = (int) Math.min(pairs.length, (part + 1L) * PART_EDGES);
        for (int i = part * PART_EDGES; i < end; i++) {
            sink.edge(pairs[i] >>> VERTEX_BITS, pairs[i] & VERTEX_MASK, labels[i]);
        }
    }
}
