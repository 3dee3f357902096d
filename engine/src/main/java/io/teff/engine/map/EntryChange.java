package io.teff.engine.map;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One change of an entry: the function to apply, and, after it ran, the values before and after.
 *
 * @param <V> type of the values
 */
public final class EntryChange<V> {
    private final Function<@Nullable V, @Nullable V> function;
    private @Nullable V before;
    private @Nullable V after;

    /**
     * Creates a change.
     *
     * @param function gets the old value or null, returns the new value or null
     */
    public EntryChange(Function<@Nullable V, @Nullable V> function) {
        this.function = function;
    }

    /**
     * Applies the function and records both values.
     *
     * @param value the old value or null
     * @return the new value or null
     */
    public @Nullable V apply(@Nullable V value) {
        before = value;
        after = function.apply(value);
        return after;
    }

    /** {@return the old value} */
    public @Nullable V before() {
        return before;
    }

    /** {@return the new value} */
    public @Nullable V after() {
        return after;
    }
}
