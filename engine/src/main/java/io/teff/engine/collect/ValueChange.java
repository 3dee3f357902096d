package io.teff.engine.collect;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Output;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A ready-made change of the value of one entry, for {@link ChunkMap#apply} and {@link ChunkMap#modify}. In a cluster
 * the owner of the entry makes the change, in one round trip and once.
 * <pre>
 *  long views = pages.apply("index", ValueChange.add(1));
 *  accounts.modify("me", ValueChange.add(-5).toLong(8));
 * </pre>
 *
 * <p><b>Numbers.</b> A change of a number concerns the whole value, which is then of a codec of {@code Long}, {@code
 * Integer} or {@code Double}; an absent entry gets the operand as its value, as by {@code merge}. {@link #toLong},
 * {@link #toInt} and {@link #toDouble} make a change of a field instead: of the number in the bytes of the value from
 * an offset on, little-endian ({@link io.teff.engine.codec.schema.Schema#offset}). Then an absent entry stays absent.
 * Sums wrap around, as in Java.
 *
 * @param <V> type of the values
 */
public final class ValueChange<V> {
    /** Kind of the operation. */
    public enum Function {
        /** Replaces a number. */
        SET,
        /** Adds to a number. */
        ADD,
        /** Takes the lower one of two numbers. */
        MIN,
        /** Takes the higher one of two numbers. */
        MAX,
        /** Keeps the bits of a number that the operand has, too. */
        AND,
        /** Adds the bits of the operand to a number. */
        OR,
        /** Inverts the bits of a number that the operand has. */
        XOR,
        /** Appends bytes to a value. */
        APPEND,
        /** Replaces a value if a number in the new value is greater. */
        PUT_IF_GREATER
    }

    /** The form of a number. */
    public enum Form {
        /** The number is the whole value; the codec of the value tells its form. */
        WHOLE,
        /** 4 bytes. */
        INT,
        /** 8 bytes. */
        LONG,
        /** 8 bytes, with a fraction. */
        DOUBLE
    }

    private final Function function;
    private final Form form;
    private final int offset;
    private final Number number;
    private final @Nullable V value;
    private final byte[] bytes;

    private ValueChange(Function function, Form form, int offset, Number number, @Nullable V value, byte[] bytes) {
        this.function = function;
        this.form = form;
        this.offset = offset;
        this.number = number;
        this.value = value;
        this.bytes = bytes;
        if (offset < 0) {
            throw new IllegalArgumentException("offset=" + offset + " is negative");
        }
    }

    private static ValueChange<Number> of(Function function, Number operand) {
        return new ValueChange<>(function, Form.WHOLE, 0, operand, null, new byte[0]);
    }

    // ---- numbers ----

    /**
     * Returns a change that replaces a number; meant for fields.
     *
     * @param number what the value becomes
     * @return a new change
     */
    public static ValueChange<Number> set(long number) {
        return of(Function.SET, number);
    }

    /**
     * Returns a change that replaces a number with a fraction; meant for fields.
     *
     * @param number what the value becomes
     * @return a new change
     */
    public static ValueChange<Number> set(double number) {
        return of(Function.SET, number);
    }

    /**
     * Returns a change that adds to a number.
     *
     * @param summand what is added
     * @return a new change
     */
    public static ValueChange<Number> add(long summand) {
        return of(Function.ADD, summand);
    }

    /**
     * Returns a change that adds to a number with a fraction.
     *
     * @param summand what is added
     * @return a new change
     */
    public static ValueChange<Number> add(double summand) {
        return of(Function.ADD, summand);
    }

    /**
     * Returns a change to a number that is not above a limit.
     *
     * @param limit bound of the result
     * @return a new change
     */
    public static ValueChange<Number> min(long limit) {
        return of(Function.MIN, limit);
    }

    /**
     * Returns a change to a number with a fraction that is not above a limit.
     *
     * @param limit bound of the result
     * @return a new change
     */
    public static ValueChange<Number> min(double limit) {
        return of(Function.MIN, limit);
    }

    /**
     * Returns a change to a number that is not below a limit.
     *
     * @param limit bound of the result
     * @return a new change
     */
    public static ValueChange<Number> max(long limit) {
        return of(Function.MAX, limit);
    }

    /**
     * Returns a change to a number with a fraction that is not below a limit.
     *
     * @param limit bound of the result
     * @return a new change
     */
    public static ValueChange<Number> max(double limit) {
        return of(Function.MAX, limit);
    }

    /**
     * Returns a change that keeps some bits of a number, and clears the others.
     *
     * @param bits mask with a bit for each bit of the value
     * @return a new change
     */
    public static ValueChange<Number> and(long bits) {
        return of(Function.AND, bits);
    }

    /**
     * Returns a change that sets bits of a number.
     *
     * @param bits mask with a bit for each bit of the value
     * @return a new change
     */
    public static ValueChange<Number> or(long bits) {
        return of(Function.OR, bits);
    }

    /**
     * Returns a change that inverts bits of a number.
     *
     * @param bits mask with a bit for each bit of the value
     * @return a new change
     */
    public static ValueChange<Number> xor(long bits) {
        return of(Function.XOR, bits);
    }

    private ValueChange<Object> to(Form field, int at) {
        if (form != Form.WHOLE || function == Function.APPEND) {
            throw new IllegalStateException(this + " is not a change of a whole number");
        }
        return new ValueChange<>(function, field, at, number, null, bytes);
    }

    /**
     * Returns this change for a field of 8 bytes.
     *
     * @param at offset of the field in the bytes of the value
     * @return a new change
     */
    public ValueChange<Object> toLong(int at) {
        return to(Form.LONG, at);
    }

    /**
     * Returns this change for a field of 4 bytes.
     *
     * @param at offset of the field in the bytes of the value
     * @return a new change
     */
    public ValueChange<Object> toInt(int at) {
        return to(Form.INT, at);
    }

    /**
     * Returns this change for a field of 8 bytes with a fraction.
     *
     * @param at offset of the field in the bytes of the value
     * @return a new change
     */
    public ValueChange<Object> toDouble(int at) {
        return to(Form.DOUBLE, at);
    }

    // ---- values ----

    /**
     * Returns a change that appends bytes to a value of the codec of bytes. An absent entry gets the bytes as its
     * value.
     *
     * @param bytes what is appended
     * @return a new change
     */
    public static ValueChange<byte[]> append(byte[] bytes) {
        return new ValueChange<>(Function.APPEND, Form.WHOLE, 0, 0, null, bytes.clone());
    }

    /**
     * Returns a change that puts a value if there is no entry, or if a field of 8 bytes in the new value is greater
     * than the field in the present value: for example a version, or a time.
     *
     * @param <V> type of the values
     * @param value the new value
     * @param at offset of the field in the bytes of both values
     * @return a new change
     */
    public static <V> ValueChange<V> putIfGreater(V value, int at) {
        return new ValueChange<>(Function.PUT_IF_GREATER, Form.LONG, at, 0, Objects.requireNonNull(value), new byte[0]);
    }

    // ---- parts ----

    /** {@return what is done} */
    public Function function() {
        return function;
    }

    /** {@return the form of the number} */
    public Form form() {
        return form;
    }

    /** {@return where the number begins in the bytes of the value} */
    public int offset() {
        return offset;
    }

    /** {@return the operand of a change of a number: a {@code Long} or a {@code Double}} */
    public Number number() {
        return number;
    }

    /**
     * Returns the bytes of the operand of a change of a value.
     *
     * @param values codec of the values
     * @return the bytes; none for a change of a number
     */
    public byte[] bytes(Codec<? super V> values) {
        V operand = value;
        if (operand == null) {
            return bytes.clone();
        }
        Output out = Output.growing(64);
        values.write(operand, out);
        return out.toByteArray();
    }

    /** {@return function, form and operand, for people} */
    @Override
    public String toString() {
        String operand = value != null ? value.toString() : function == Function.APPEND ? bytes.length + " bytes"
            : number.toString();
        return function + " " + operand + (form == Form.WHOLE ? "" : " to " + form + " at " + offset);
    }
}
