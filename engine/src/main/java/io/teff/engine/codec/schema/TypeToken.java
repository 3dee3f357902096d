package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its type arguments, which a class object does not have. A program makes an anonymous subclass:
 * {@code new TypeToken<Map<String, List<Order>>>() {}}. Immutable.
 *
 * @param <T> the type; known, so not a type parameter of the surrounding method or class
 */
public abstract class TypeToken<T> {
    private final Type type;

    /** Makes a token of the type argument of the subclass. */
    protected TypeToken() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType generic)
            || generic.getRawType() != TypeToken.class) {
            throw new SchemaException(getClass().getName() + " must extend TypeToken itself, with a type argument",
                null);
        }
        type = generic.getActualTypeArguments()[0];
    }

    /**
     * Returns the type.
     *
     * @return the type argument of this token
     */
    public final Type type() {
        return type;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof TypeToken<?> token && type.equals(token.type);
    }

    @Override
    public final int hashCode() {
        return type.hashCode();
    }

    @Override
    public final String toString() {
        return type.getTypeName();
    }
}
