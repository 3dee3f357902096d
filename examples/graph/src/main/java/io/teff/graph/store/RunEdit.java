package io.teff.graph.store;

import io.teff.engine.Chunks;
import io.teff.engine.Store;
import java.util.Arrays;

/** A change of one neighbour in one run. The caller holds the write lock of the chunk. */
final class RunEdit {
    private final StoreGraph graph;
    private final long cid;
    private final int target;
    private int[] targets;
    private double[] weights;
    /** Place of the target, or minus one minus the place where it would be. */
    private final int place;

    RunEdit(StoreGraph graph, long cid, int target) {
        this.graph = graph;
        this.cid = cid;
        this.target = target;
        StoreNeighbours cursor = new StoreNeighbours(graph, cid);
        int length = cursor.open(0);
        targets = new int[length];
        weights = new double[graph.weighted() ? length : 0];
        for (int i = 0; i < length; i++) {
            targets[i] = cursor.next();
            if (graph.weighted()) {
                weights[i] = cursor.weight();
            }
        }
        place = Arrays.binarySearch(targets, target);
    }

    /** Adds the neighbour; returns 1, or 0 if it was there. */
    int add(double weight) {
        if (place >= 0) {
            if (graph.weighted() && Double.compare(weights[place], weight) != 0) {
                weights[place] = weight;
                put();
            }
            return 0;
        }
        int at = -1 - place;
        targets = Arrays.copyOf(targets, targets.length + 1);
        System.arraycopy(targets, at, targets, at + 1, targets.length - 1 - at);
        targets[at] = target;
        if (graph.weighted()) {
            weights = Arrays.copyOf(weights, weights.length + 1);
            System.arraycopy(weights, at, weights, at + 1, weights.length - 1 - at);
            weights[at] = weight;
        }
        put();
        return 1;
    }

    /** Removes the neighbour; returns -1, or 0 if it was not there. */
    int remove() {
        if (place < 0) {
            return 0;
        }
        System.arraycopy(targets, place + 1, targets, place, targets.length - 1 - place);
        targets = Arrays.copyOf(targets, targets.length - 1);
        if (graph.weighted()) {
            System.arraycopy(weights, place + 1, weights, place, weights.length - 1 - place);
            weights = Arrays.copyOf(weights, weights.length - 1);
        }
        put();
        return -1;
    }

    private void put() {
        Store store = graph.store();
        byte[] bytes = new byte[Math.toIntExact(RunBytes.bytesMax(graph.form(), targets.length, graph.weighted()))];
        int length = RunBytes.write(graph.form(), targets, weights, graph.weighted(), 0, targets.length, bytes, 0);
        Chunks.check(cid, store.put(cid, bytes, 0, length));
    }
}
