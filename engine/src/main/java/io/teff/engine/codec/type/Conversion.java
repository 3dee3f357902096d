package io.teff.engine.codec.type;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * How values of a type become values of another type, which is stored, and back.
 *
 * @param <T> the type
 * @param <R> the stored type
 * @param type class of the type
 * @param to makes a stored value; not null
 * @param from makes a value of a stored one, or throws; not null
 */
public record Conversion<T, R>(Class<T> type, Function<T, R> to, Function<R, T> from) {
    /** Makes a stored value of a value. */
    R makeStored(T value) {
        return Objects.requireNonNull(to.apply(value), () -> "the stored value of a " + type.getName());
    }

    /** Makes a value of a stored value. */
    T makeValue(R stored) {
        return Objects.requireNonNull(from.apply(stored), () -> "the value of a stored " + type.getName());
    }

    /** Makes a conversion that can only read. */
    public static Conversion<Object, Object> reading(UnaryOperator<Object> from) {
        return new Conversion<>(Object.class, value -> {
            throw new UnsupportedOperationException("a value of another version is written");
        }, from::apply);
    }
}
