package io.teff.cluster.operation;

import org.jspecify.annotations.Nullable;

/**
 * A step of the split of a part of a sorted map, with the numbers in messages. Each answer is a {@link
 * io.teff.cluster.collect.PartReport}.
 */
public enum MoveMode {
    /**
     * Reads the part. First argument: for how many nanoseconds the part holds its splits, at most {@link #HOLD_NS_MAX};
     * 0 changes nothing, a negative number ends the hold. While a part holds its splits, no split begins and no slice
     * is cut off. A slice that was cut off before is taken and released as usual.
     */
    LOOK(0),
    /** Makes the part a target without keys, unless the part has bounds. The content is the state. */
    MAKE(1),
    /**
     * Begins a split, unless another split is under way. Arguments: root of the target, root of the part that is behind
     * both. The content is the key that ends the split; without a content, half of the entries move.
     */
    BEGIN(2),
    /**
     * Releases the slice if the target has taken the slice, and cuts the next slice. Arguments: root of the target,
     * number of slices that the target has taken. The answer has the slice that is on its way.
     */
    STEP(3),
    /**
     * Takes a slice, if the slice is the next one. Arguments: number of the slice, token of the fence. The content is
     * the lowest key, and the entries.
     */
    TAKE(4),
    /** Ends the taking of slices. */
    SETTLE(5);

    /** Longest hold of the splits of a part, in nanoseconds, also for a backup that ends without a word. */
    public static final long HOLD_NS_MAX = 60_000_000_000L;

    /** Most entries of a slice. */
    static final int SLICE_MAX = CollectionMode.REMOVED_MAX;
    /** Most bytes of the entries of a slice, unless there is one entry. */
    static final int SLICE_BYTES_MAX = CollectionMode.ADDED_BYTES_MAX;

    private static final MoveMode[] BY_NUMBER = values();

    static {
        for (int i = 0; i < BY_NUMBER.length; i++) {
            assert BY_NUMBER[i].number == i : "numbers follow each other";
        }
    }

    private final int number;

    MoveMode(int number) {
        this.number = number;
    }

    /** {@return the number in messages} */
    public int number() {
        return number;
    }

    /** Returns the mode with a number, or null. */
    static @Nullable MoveMode of(long number) {
        return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[(int) number];
    }
}
