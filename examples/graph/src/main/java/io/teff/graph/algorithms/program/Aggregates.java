package io.teff.graph.algorithms.program;

import java.util.Arrays;
import java.util.List;

/** Values of the aggregates of one superstep. */
public final class Aggregates {
    private final List<Aggregate> kinds;
    private final long[] bits;

    /**
     * Makes the values of no number.
     *
     * @param kinds the kinds of the aggregates
     */
    public Aggregates(List<Aggregate> kinds) {
        this.kinds = kinds;
        bits = new long[kinds.size()];
        clear();
    }

    /**
     * {@return the value of an aggregate of longs}
     *
     * @param index in the list of kinds: for a program, in {@link VertexProgram#aggregates}
     * @throws IllegalArgumentException if the aggregate is one of doubles
     * @throws IndexOutOfBoundsException if there is no such aggregate
     */
    public long getLong(int index) {
        if (kinds.get(index).isDouble()) {
            throw new IllegalArgumentException("aggregate " + index + " is " + kinds.get(index));
        }
        return bits[index];
    }

    /**
     * {@return the value of an aggregate of doubles}
     *
     * @param index in the list of kinds: for a program, in {@link VertexProgram#aggregates}
     * @throws IllegalArgumentException if the aggregate is one of longs
     * @throws IndexOutOfBoundsException if there is no such aggregate
     */
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

    /** {@return the bits of all values} */
    public long[] bits() {
        return bits.clone();
    }

    /**
     * Merges the values of some vertices.
     *
     * @param others bits of the values
     */
    public void merge(long[] others) {
        for (int index = 0; index < bits.length; index++) {
            bits[index] = kinds.get(index).merge(bits[index], others[index]);
        }
    }

    void set(long[] others) {
        System.arraycopy(others, 0, bits, 0, bits.length);
    }
}
