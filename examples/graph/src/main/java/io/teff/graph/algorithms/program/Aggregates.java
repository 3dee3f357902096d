package io.teff.graph.algorithms.program;

import java.util.Arrays;
import java.util.List;

/** Values of the aggregates of one superstep. */
public final class Aggregates {
    private final List<Aggregate> kinds;
    private final long[] bits;

    Aggregates(List<Aggregate> kinds) {
        this.kinds = kinds;
        bits = new long[kinds.size()];
        clear();
    }

    /** The value of an aggregate of longs. */
    public long getLong(int index) {
        if (kinds.get(index).isDouble()) {
            throw new IllegalArgumentException("aggregate " + index + " is " + kinds.get(index));
        }
        return bits[index];
    }

    /** The value of an aggregate of doubles. */
    public double getDouble(int index) {
        if (!kinds.get(index).isDouble()) {
            throw new IllegalArgumentException("aggregate " + index + " is " + kinds.get(index));
        }
        return Double.longBitsToDouble(bits[index]);
    }

    void clear() {
        Arrays.setAll(bits, index -> kinds.get(index).none());
    }

    void add(int index, long value) {
        if (kinds.get(index).isDouble()) {
            throw new IllegalArgumentException("aggregate " + index + " is " + kinds.get(index));
        }
        bits[index] = kinds.get(index).merge(bits[index], value);
    }

    void add(int index, double value) {
        if (!kinds.get(index).isDouble()) {
            throw new IllegalArgumentException("aggregate " + index + " is " + kinds.get(index));
        }
        bits[index] = kinds.get(index).merge(bits[index], Double.doubleToRawLongBits(value));
    }

    void addAll(Aggregates other) {
        for (int index = 0; index < bits.length; index++) {
            bits[index] = kinds.get(index).merge(bits[index], other.bits[index]);
        }
    }
}
