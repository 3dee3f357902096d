package io.teff.cluster.operation;

import org.jspecify.annotations.Nullable;

/** The changes of one entry of a map, with their numbers in messages. */
public enum MapMode {
    /** Puts an entry; does not return the value before. */
    SET(1, false, false),
    /** Puts an entry, and returns the value before. */
    PUT(2, true, false),
    /** Puts an entry if there is none, and returns the present value. */
    PUT_IF_ABSENT(3, true, false),
    /** Replaces an entry if there is one, and returns the value before. */
    REPLACE(4, true, false),
    /** Replaces a value with expected bytes, or returns the present value. */
    REPLACE_IF_SAME(5, false, true),
    /** Removes an entry, and returns the value before. */
    REMOVE(6, true, false),
    /** Removes an entry; does not return the value before. */
    DELETE(7, false, false),
    /** Removes an entry whose value has expected bytes, or returns the present value. */
    REMOVE_IF_SAME(8, false, true),
    /** Changes a value by a ready-made function in place of the value, and returns the value afterwards. */
    APPLY(9, false, false),
    /** Changes a value by a ready-made function; does not return the value. */
    MODIFY(10, false, false),
    /** Changes an entry by a registered function in place of the value, and returns the result of the function. */
    CALL(11, false, false);

    private static final MapMode[] ALL = values();

    private final int number;
    private final boolean returnsBefore;
    private final boolean isConditional;

    MapMode(int number, boolean returnsBefore, boolean isConditional) {
        this.number = number;
        this.returnsBefore = returnsBefore;
        this.isConditional = isConditional;
    }

    /** {@return the number in messages} */
    public int number() {
        return number;
    }

    /** Returns the mode with a number, or null. */
    static @Nullable MapMode of(long number) {
        return number < 1 || number > ALL.length ? null : ALL[(int) number - 1];
    }

    /** Returns whether the value before a change is the result of the change. */
    boolean returnsBefore() {
        return returnsBefore;
    }

    /** Returns whether the request has an expected value. */
    boolean isConditional() {
        return isConditional;
    }

    /** Returns whether the change removes the entry. */
    boolean isRemoval() {
        return this == REMOVE || this == DELETE || this == REMOVE_IF_SAME;
    }

    /** Returns whether a content has a key and an expected value of these lengths, and a new value if it needs one. */
    boolean isSound(long key, long expected, int length) {
        return key >= 0 && key <= length && expected >= 0 && expected <= length - key
            && (isConditional || expected == 0) && (!isRemoval() || key + expected == length);
    }

    /** Returns whether the new value follows from a ready-made function in place of the value. */
    boolean isFunction() {
        return this == APPLY || this == MODIFY;
    }

    /** Returns whether a batch may have such changes. */
    boolean isOfBatch() {
        return this != APPLY && this != CALL && (!returnsBefore || this == PUT_IF_ABSENT);
    }

    static {
        for (int i = 0; i < ALL.length; i++) {
            assert ALL[i].number == i + 1 : "numbers are in the order of the constants";
        }
    }
}
