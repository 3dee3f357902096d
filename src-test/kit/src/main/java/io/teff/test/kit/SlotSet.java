package io.teff.test.kit;

import java.util.BitSet;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** An immutable set of slots. Slots are numbers from 0 on. */
final class SlotSet {
    static final SlotSet EMPTY = new SlotSet(new BitSet());

    /** Not changed once the set is built. */
    private final BitSet bits;

    private SlotSet(BitSet bits) {
        this.bits = bits;
    }

    /** Returns the slots below a bound that fulfil a condition. */
    static SlotSet of(int bound, IntPredicate which) {
        BitSet bits = new BitSet();
        for (int slot = 0; slot < bound; slot++) {
            bits.set(slot, which.test(slot));
        }
        return new SlotSet(bits);
    }

    private BitSet copy() {
        return (BitSet) bits.clone();
    }

    boolean has(int slot) {
        return bits.get(slot);
    }

    int size() {
        return bits.cardinality();
    }

    SlotSet with(int slot) {
        if (has(slot)) {
            return this;
        }
        BitSet result = copy();
        result.set(slot);
        return new SlotSet(result);
    }

    SlotSet without(int slot) {
        BitSet result = copy();
        result.clear(slot);
        return new SlotSet(result);
    }

    SlotSet or(SlotSet other) {
        BitSet result = copy();
        result.or(other.bits);
        return new SlotSet(result);
    }

    SlotSet and(SlotSet other) {
        BitSet result = copy();
        result.and(other.bits);
        return new SlotSet(result);
    }

    SlotSet without(SlotSet other) {
        BitSet result = copy();
        result.andNot(other.bits);
        return new SlotSet(result);
    }

    /** Returns whether another set has all slots of this one. */
    boolean isIn(SlotSet other) {
        return without(other).bits.isEmpty();
    }

    /** Returns the lowest slots, at most the given number of them. */
    SlotSet first(int count) {
        BitSet result = new BitSet();
        int left = count;
        for (int slot = bits.nextSetBit(0); slot >= 0 && left > 0; slot = bits.nextSetBit(slot + 1)) {
            result.set(slot);
            left--;
        }
        return new SlotSet(result);
    }

    void forEach(IntConsumer action) {
        bits.stream().forEach(action);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SlotSet set && bits.equals(set.bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    @Override
    public String toString() {
        return bits.toString();
    }
}
