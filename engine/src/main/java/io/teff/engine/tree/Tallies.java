package io.teff.engine.tree;

import io.teff.engine.node.Lanes;
import java.util.concurrent.atomic.AtomicLongArray;

/** What a tree counts, by lane: a number is written by who holds its lane, and read by anybody. */
final class Tallies {
    private final AtomicLongArray counts = new AtomicLongArray(Lanes.COUNT);
    private final AtomicLongArray bytes = new AtomicLongArray(Lanes.COUNT + 1);

    private static void add(AtomicLongArray numbers, int lane, long delta) {
        numbers.setOpaque(lane, numbers.getPlain(lane) + delta);
    }

    private static long sum(AtomicLongArray numbers) {
        long sum = 0;
        for (int lane = 0; lane < numbers.length(); lane++) {
            sum += numbers.getOpaque(lane);
        }
        return sum;
    }

    /** Counts entries of a node. */
    void count(long node, long delta) {
        add(counts, Lanes.of(node), delta);
    }

    /** Counts memory of chunks. */
    void memory(long node, long delta) {
        add(bytes, Lanes.of(node), delta);
    }

    /** Counts memory of top nodes that come and go; by one thread at a time. */
    void memoryOfTop(long delta) {
        add(bytes, Lanes.COUNT, delta);
    }

    long entries() {
        return sum(counts);
    }

    long memoryBytes() {
        return sum(bytes);
    }
}
