package io.teff.graph.cluster;

import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.graph.Neighbours;
import io.teff.graph.algorithms.program.PartArcs;
import io.teff.graph.algorithms.program.Partition;

/** The arcs of a part in arrays of the heap, as a worker keeps them: 4 bytes for each arc, 8 more with weights. */
final class FrozenPart implements PartArcs {
    private final int part;
    private final int[] starts;
    private final int[] targets;
    private final double[] weights;

    private FrozenPart(int part, int[] starts, int[] targets, double[] weights) {
        this.part = part;
        this.starts = starts;
        this.targets = targets;
        this.weights = weights;
    }

    /** Reads a part. */
    static FrozenPart read(ZoneChunks chunks, long cid, int part, Partition partition, boolean isWeighted) {
        PartRoot root = PartRoot.read(chunks, cid);
        if (!root.isBuilt() || root.arcCount() > Integer.MAX_VALUE - Byte.SIZE) {
            throw new StoreException(Category.FATAL, "part " + part + " of a graph is not built, or has too many arcs: "
                + root.arcCount());
        }
        int count = partition.count(part);
        int[] starts = new int[count + 1];
        PieceInput lengths = new PieceInput(chunks, root.degrees());
        for (int index = 0; index < count; index++) {
            starts[index + 1] = starts[index] + lengths.number();
        }
        int[] targets = new int[starts[count]];
        double[] weights = new double[isWeighted ? targets.length : 0];
        PieceInput in = new PieceInput(chunks, root.runs());
        for (int index = 0; index < count; index++) {
            int target = 0;
            for (int place = starts[index]; place < starts[index + 1]; place++) {
                target += in.number();
                targets[place] = target;
            }
            for (int place = starts[index]; isWeighted && place < starts[index + 1]; place++) {
                weights[place] = in.doubleNumber();
            }
        }
        return new FrozenPart(part, starts, targets, weights);
    }

    @Override
    public int part() {
        return part;
    }

    int arcCount() {
        return targets.length;
    }

    int start(int index) {
        return starts[index];
    }

    int target(int place) {
        return targets[place];
    }

    @Override
    public int degree(int index) {
        return starts[index + 1] - starts[index];
    }

    @Override
    public Neighbours neighbours() {
        return new Neighbours() {
            private int place;

            @Override
            public int open(int index) {
                place = starts[index];
                return starts[index + 1] - place;
            }

            @Override
            public int next() {
                return targets[place++];
            }

            @Override
            public double weight() {
                return weights.length == 0 ? 1 : weights[place - 1];
            }
        };
    }
}
