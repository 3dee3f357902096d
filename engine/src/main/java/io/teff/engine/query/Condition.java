package io.teff.engine.query;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one field of the values of a map: the field's bytes are in an interval. Made by methods of {@link
 * Field}. Immutable.
 *
 * @param <V> type of the values
 */
public final class Condition<V> {
    private final Field<V, ?> field;
    private final byte[] low;
    private final byte @Nullable [] high;
    private final boolean isEquality;
    private final String text;

    /** Makes the condition that the field's bytes are at or above {@code low} and below {@code high}, if any. */
    Condition(Field<V, ?> field, byte[] low, byte @Nullable [] high, boolean isEquality, String text) {
        this.field = field;
        this.low = low;
        this.high = high;
        this.isEquality = isEquality;
        this.text = text;
    }

    Field<V, ?> field() {
        return field;
    }

    byte[] low() {
        return low;
    }

    byte @Nullable [] high() {
        return high;
    }

    /** Returns whether the bytes of the field must be {@link #low}. */
    boolean isEquality() {
        return isEquality;
    }

    /** Returns whether bytes of a field are in the interval. */
    boolean contains(byte[] key, int length) {
        final byte[] end = high;
        return Arrays.compareUnsigned(key, 0, length, low, 0, low.length) >= 0
            && (end == null || Arrays.compareUnsigned(key, 0, length, end, 0, end.length) < 0);
    }

    @Override
    public String toString() {
        return text;
    }
}
