package io.teff.graph.cluster;

import io.teff.graph.algorithms.program.Partition;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Sorts the staged arcs of a part, and writes its runs. Takes 4 bytes of the heap for each staged arc, 8 more with
 * weights. Can run again at any time: a part that is built stays as it is.
 */
final class PartBuild {
    private final ZoneChunks chunks;
    private final long cid;
    private final int count;
    private final int flags;
    private final boolean isWeighted;

    PartBuild(ZoneChunks chunks, long cid, int part, Partition partition, int flags) {
        this.chunks = chunks;
        this.cid = cid;
        this.flags = flags;
        count = partition.count(part);
        isWeighted = (flags & PartLayout.WEIGHTED) != 0;
    }

    /** Builds the part; returns the number of its arcs. */
    long build() {
        PartRoot root = PartRoot.read(chunks, cid);
        if (!root.isBuilt()) {
            root = sorted(root);
            chunks.put(cid, root.write());
            chunks.commit();
        }
        if (root.staged().length > 0) {
            for (long piece : root.staged()) {
                chunks.remove(piece);
            }
            chunks.commit();
            chunks.put(cid, root.withStaged(new long[0]).write());
            chunks.commit();
        }
        return root.arcCount();
    }

    private PartRoot sorted(PartRoot root) {
        int[] starts = new int[count + 1];
        each(root.staged(), (source, target, weight) -> starts[source + 1] = Math.addExact(starts[source + 1], 1));
        for (int index = 0; index < count; index++) {
            starts[index + 1] = Math.addExact(starts[index], starts[index + 1]);
        }
        int[] targets = new int[starts[count]];
        double[] weights = new double[isWeighted ? targets.length : 0];
        int[] places = Arrays.copyOf(starts, count);
        each(root.staged(), (source, target, weight) -> {
            int place = places[source]++;
            targets[place] = target;
            if (isWeighted) {
                weights[place] = weight;
            }
        });
        PieceOutput degrees = new PieceOutput(chunks, cid);
        PieceOutput runs = new PieceOutput(chunks, cid);
        long arcs = 0;
        for (int index = 0; index < count; index++) {
            int length = sortRun(targets, weights, starts[index], starts[index + 1]);
            degrees.number(length);
            write(runs, targets, weights, starts[index], length);
            arcs += length;
        }
        long[] degreePieces = degrees.end();
        long[] runPieces = runs.end();
        return new PartRoot(true, arcs, degrees.bytes() + runs.bytes(), degreePieces, runPieces, root.staged());
    }

    private void write(PieceOutput out, int[] targets, double[] weights, int from, int length) {
        int before = 0;
        for (int place = from; place < from + length; place++) {
            out.number(targets[place] - before);
            before = targets[place];
        }
        for (int place = from; isWeighted && place < from + length; place++) {
            out.number(weights[place]);
        }
    }

    /** Sorts a run, and removes duplicates unless they are kept; returns its length. */
    private int sortRun(int[] targets, double[] weights, int from, int to) {
        boolean keeps = (flags & PartLayout.KEEPS_DUPLICATES) != 0;
        if (isWeighted) {
            sortWeighted(targets, weights, from, to);
        } else {
            Arrays.sort(targets, from, to);
        }
        int end = from;
        for (int place = from; place < to; place++) {
            if (keeps || end == from || targets[end - 1] != targets[place]) {
                targets[end] = targets[place];
                if (isWeighted) {
                    weights[end] = weights[place];              // the smallest of equal targets comes first
                }
                end++;
            }
        }
        return end - from;
    }

    private static void sortWeighted(int[] targets, double[] weights, int from, int to) {
        int length = to - from;
        long[] order = new long[length];
        for (int i = 0; i < length; i++) {
            order[i] = (long) targets[from + i] << Integer.SIZE | i;
        }
        Arrays.sort(order);
        double[] sorted = new double[length];
        for (int i = 0; i < length; i++) {
            targets[from + i] = (int) (order[i] >>> Integer.SIZE);
            sorted[i] = weights[from + (int) order[i]];
        }
        for (int i = 0; i < length; ) {
            int end = i + 1;
            while (end < length && targets[from + end] == targets[from + i]) {
                end++;
            }
            Arrays.sort(sorted, i, end);
            i = end;
        }
        System.arraycopy(sorted, 0, weights, from, length);
    }

    /** Takes a staged arc. */
    private interface Arcs {
        void take(int source, int target, double weight);
    }

    private void each(long[] pieces, Arcs arcs) {
        for (long piece : pieces) {
            ByteBuffer in = PartLayout.view(chunks.get(piece));
            while (in.hasRemaining()) {
                int source = in.getInt();
                int target = in.getInt();
                arcs.take(source, target, isWeighted ? in.getDouble() : 1);
            }
        }
    }
}
