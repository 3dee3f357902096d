package io.teff.engine.query;

import io.teff.engine.codec.Output;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A field of the values of a map, by which the map can be indexed and queried: a component of a record, or a function
 * of the value. A field is made once, as a constant:
 * <pre>{@code
 * static final Field<Person, Integer> AGE = Field.of(Person.class, "age", int.class);
 * static final Field<Person, String> INITIAL = Field.ofString("initial", person -> person.name().substring(0, 1));
 * }</pre>
 *
 * <p>An index knows a field by its name and type. So a function must return equal results for equal values, each time
 * the store is opened; a program that changes a function gives the field another name. The function is called while
 * writers wait, must not use the store, and may get a value at any time.
 *
 * <p><b>Order.</b> Numbers are in their natural order, {@code double} as by {@link Double#compare}, strings as by
 * {@link String#compareTo}, arrays in the order of unsigned bytes, false before true, null before all others.
 * Immutable.
 *
 * @param <V> type of the values
 * @param <F> type of the field
 */
public final class Field<V, F> {
    private final String name;
    private final FieldKind kind;
    private final boolean isNullable;
    /** The record whose component the field is, or null for a function. */
    private final @Nullable Class<V> owner;
    private final Function<? super V, ? extends @Nullable F> getter;

    private Field(String name, FieldKind kind, boolean isNullable, @Nullable Class<V> owner,
                  Function<? super V, ? extends @Nullable F> getter) {
        if (name.isEmpty() || name.indexOf(',') >= 0 || name.indexOf(':') >= 0) {
            throw new IllegalArgumentException("name=" + name + " is empty or has a comma or a colon");
        }
        this.name = name;
        this.kind = kind;
        this.isNullable = isNullable;
        this.owner = owner;
        this.getter = Objects.requireNonNull(getter);
    }

    /**
     * Makes a field of a component of a record. A primitive component is read from the bytes of a value, without the
     * rest of the value.
     *
     * @param <V> the record
     * @param <F> type of the component, boxed
     * @param owner the record
     * @param component name of the component
     * @param type class of the component: {@code int}, {@code long}, {@code double}, {@code boolean}, one of their
     *     boxes, {@code String} or {@code byte[]}
     * @return the field, with the name of the component
     * @throws IllegalArgumentException if the record has no such component, or if it is of another type
     */
    public static <V, F> Field<V, F> of(Class<V> owner, String component, Class<F> type) {
        if (owner.isRecord()) {
            for (RecordComponent each : owner.getRecordComponents()) {
                if (each.getName().equals(component)) {
                    return of(owner, each, type);
                }
            }
        }
        throw new IllegalArgumentException(owner.getName() + " has no record component " + component);
    }

    private static <V, F> Field<V, F> of(Class<V> owner, RecordComponent component, Class<F> type) {
        FieldKind kind = FieldKind.of(type);
        if (kind == null || !component.getType().equals(type)) {
            throw new IllegalArgumentException("the component " + component.getName() + " of " + owner.getName()
                + " is of " + component.getType() + ", not of " + type + " as an int, long, double, boolean, string or "
                + "byte[]");
        }
        Method accessor = component.getAccessor();
        if (!accessor.trySetAccessible()) {
            throw new IllegalArgumentException("the package of " + owner.getName() + " is not open to Teff; use "
                + "Field.ofInt and similar methods with a function");
        }
        return new Field<>(component.getName(), kind, !type.isPrimitive(), owner, value -> call(accessor, value));
    }

    @SuppressWarnings("unchecked")
    private static <F> @Nullable F call(Method accessor, Object value) {
        try {
            return (F) accessor.invoke(value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);                 // trySetAccessible has succeeded
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the accessor " + accessor.getName() + " throws", e.getCause());
        }
    }

    /**
     * Makes a field of a function with {@code int} results.
     *
     * @param <V> type of the values
     * @param name name of the field, in indexes and messages
     * @param function of a value
     * @return the field
     */
    public static <V> Field<V, Integer> ofInt(String name, ToIntFunction<? super V> function) {
        return new Field<>(name, FieldKind.INT, false, null, function::applyAsInt);
    }

    /**
     * Makes a field of a function with {@code long} results.
     *
     * @param <V> type of the values
     * @param name name of the field
     * @param function of a value
     * @return the field
     */
    public static <V> Field<V, Long> ofLong(String name, ToLongFunction<? super V> function) {
        return new Field<>(name, FieldKind.LONG, false, null, function::applyAsLong);
    }

    /**
     * Makes a field of a function with {@code double} results.
     *
     * @param <V> type of the values
     * @param name name of the field
     * @param function of a value
     * @return the field
     */
    public static <V> Field<V, Double> ofDouble(String name, ToDoubleFunction<? super V> function) {
        return new Field<>(name, FieldKind.DOUBLE, false, null, function::applyAsDouble);
    }

    /**
     * Makes a field of a function with {@code boolean} results.
     *
     * @param <V> type of the values
     * @param name name of the field
     * @param function of a value
     * @return the field
     */
    public static <V> Field<V, Boolean> ofBoolean(String name, Predicate<? super V> function) {
        return new Field<>(name, FieldKind.BOOLEAN, false, null, function::test);
    }

    /**
     * Makes a field of a function with strings as results.
     *
     * @param <V> type of the values
     * @param name name of the field
     * @param function of a value; may return null
     * @return the field
     */
    public static <V> Field<V, String> ofString(String name, Function<? super V, @Nullable String> function) {
        return new Field<>(name, FieldKind.STRING, true, null, function);
    }

    /**
     * Makes a field of a function with arrays of bytes as results.
     *
     * @param <V> type of the values
     * @param name name of the field
     * @param function of a value; may return null
     * @return the field
     */
    public static <V> Field<V, byte[]> ofBytes(String name, Function<? super V, byte @Nullable []> function) {
        return new Field<>(name, FieldKind.BYTES, true, null, function);
    }

    /** {@return the name} */
    public String name() {
        return name;
    }

    /** {@return name and type, as indexes keep them: {@code city:string?}, with a question mark if null is allowed} */
    @Override
    public String toString() {
        return name + ":" + kind + (isNullable ? "?" : "");
    }

    // ---- conditions ----

    /**
     * Makes a condition: the field equals a value.
     *
     * @param value not null
     * @return the condition
     */
    public Condition<V> equalTo(F value) {
        byte[] key = key(value);
        return new Condition<>(this, key, SortKeyBytes.behind(key), true, name + " = " + text(value));
    }

    /** {@return a condition: the field is null} */
    public Condition<V> isNull() {
        if (!isNullable) {
            throw new IllegalArgumentException("the field " + this + " is never null");
        }
        return new Condition<>(this, new byte[] {SortKeyBytes.NULL}, present(), true, name + " is null");
    }

    /**
     * Makes a condition: the field is at least {@code low} and at most {@code high}.
     *
     * @param low least value
     * @param high greatest value
     * @return the condition
     */
    public Condition<V> between(F low, F high) {
        return range(key(low), SortKeyBytes.behind(key(high)), " between " + text(low) + " and " + text(high));
    }

    /**
     * Makes a condition: the field is at least a value.
     *
     * @param low least value
     * @return the condition
     */
    public Condition<V> atLeast(F low) {
        return range(key(low), null, " >= " + text(low));
    }

    /**
     * Makes a condition: the field is greater than a value.
     *
     * @param low value below
     * @return the condition
     */
    public Condition<V> above(F low) {
        byte[] behind = SortKeyBytes.behind(key(low));
        String text = " > " + text(low);
        return behind == null ? range(key(low), key(low), text) : range(behind, null, text);
    }

    /**
     * Makes a condition: the field is not null, and at most a value.
     *
     * @param high greatest value
     * @return the condition
     */
    public Condition<V> atMost(F high) {
        return range(present(), SortKeyBytes.behind(key(high)), " <= " + text(high));
    }

    /**
     * Makes a condition: the field is not null, and less than a value.
     *
     * @param high value above
     * @return the condition
     */
    public Condition<V> below(F high) {
        return range(present(), key(high), " < " + text(high));
    }

    /**
     * Makes a condition: the field, a string or an array, begins with a prefix.
     *
     * @param prefix first chars or bytes of the field
     * @return the condition
     * @throws IllegalArgumentException if the field is of another type
     */
    public Condition<V> startsWith(F prefix) {
        Output out = begin();
        kind.putPrefix(Objects.requireNonNull(prefix), out);
        byte[] key = out.toByteArray();
        return range(key, SortKeyBytes.behind(key), " starts with " + text(prefix));
    }

    private Condition<V> range(byte[] low, byte @Nullable [] high, String text) {
        return new Condition<>(this, low, high, false, name + text);
    }

    private static String text(@Nullable Object value) {
        return value == null ? "null" : value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes)
            : value instanceof String text ? "'" + text + "'" : value.toString();
    }

    private Output begin() {
        Output out = Output.growing(Long.BYTES * 2);
        if (isNullable) {
            out.putByte(SortKeyBytes.PRESENT);
        }
        return out;
    }

    private byte[] key(F value) {
        Output out = begin();
        kind.put(Objects.requireNonNull(value), out);
        return out.toByteArray();
    }

    /** Returns the bytes with which all values that are not null begin or behind which they are. */
    private byte[] present() {
        return isNullable ? new byte[] {SortKeyBytes.PRESENT} : new byte[0];
    }

    // ---- bytes of keys ----

    FieldKind kind() {
        return kind;
    }

    boolean isNullable() {
        return isNullable;
    }

    /** Returns whether the field is a primitive component of a record. */
    boolean isPrimitiveOf(Class<?> type) {
        return type.equals(owner) && !isNullable;
    }

    /** Returns the field of a value, for people. */
    String describe(V value) {
        return name + " = " + text(getter.apply(value));
    }

    /** Puts the bytes of the field of a value. */
    void put(V value, Output out) {
        F field = getter.apply(value);
        if (!isNullable) {
            kind.put(Objects.requireNonNull(field), out);
        } else if (field == null) {
            out.putByte(SortKeyBytes.NULL);
        } else {
            out.putByte(SortKeyBytes.PRESENT);
            kind.put(field, out);
        }
    }

    /** Returns the index behind the bytes of the field in a key. */
    int end(byte[] key, int from) {
        return !isNullable ? kind.end(key, from) : key[from] == SortKeyBytes.NULL ? from + 1 : kind.end(key, from + 1);
    }

    /** Returns whether the bytes of the field in a key are those of null. */
    boolean isNull(byte[] key, int from) {
        return isNullable && key[from] == SortKeyBytes.NULL;
    }
}
