package io.teff.engine.raw;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.collect.ValueChange.Form;
import io.teff.engine.collect.ValueChange.Function;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ValueChange} as a function of bytes: the same at a local map and at the owner of an entry in a cluster.
 * <pre>
 *  0          1      2       3   4          8
 * +----------+------+-------+---+----------+---------------------------------------+
 * | function | form | whole | 0 | offset   | number (8), or bytes                  |
 * +----------+------+-------+---+----------+---------------------------------------+
 * </pre>
 * Function and form are numbers of {@link ValueChange.Function} and {@link ValueChange.Form}; the form is never WHOLE.
 * Whole is 1 if the number is the whole value: then an absent entry gets the number.
 */
public final class RawFunction {
    /** Bytes in front of the operand. */
    public static final int HEAD_BYTES = 8;

    private static final int FORM_AT = 1;
    private static final int WHOLE_AT = 2;
    private static final int OFFSET_AT = 4;

    private static final Function[] FUNCTIONS = Function.values();
    private static final Form[] FORMS = Form.values();
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Function function;
    private final Form form;
    private final boolean isWhole;
    private final int offset;
    /** The number as 8 bytes, or other bytes. */
    private final byte[] operand;

    private RawFunction(Function function, Form form, boolean isWhole, int offset, byte[] operand) {
        this.function = function;
        this.form = form;
        this.isWhole = isWhole;
        this.offset = offset;
        this.operand = operand;
    }

    // ---- from a change, and as bytes ----

    /**
     * Returns a change for values of a codec.
     *
     * @param <V> type of the values
     * @param change what is done
     * @param values codec of the values
     * @return the function
     * @throws IllegalArgumentException if values of the codec have no such numbers
     */
    public static <V> RawFunction of(ValueChange<? super V> change, Codec<V> values) {
        Function function = change.function();
        if (function == Function.APPEND) {
            if (!Codecs.BYTES.hasBytesOf(values.describe())) {
                throw unfit(change, values);
            }
            return new RawFunction(function, Form.LONG, true, 0, operand(change, values));
        }
        if (function == Function.PUT_IF_GREATER) {
            byte[] value = operand(change, values);
            Objects.checkFromIndexSize(change.offset(), Long.BYTES, value.length);
            return new RawFunction(function, change.form(), false, change.offset(), value);
        }
        boolean isWhole = change.form() == Form.WHOLE;
        Form form = isWhole ? form(change, values) : change.form();
        byte[] number = new byte[Long.BYTES];
        if (form == Form.DOUBLE) {
            if (function.ordinal() > Function.MAX.ordinal()) {
                throw unfit(change, values);
            }
            LONG.set(number, 0, Double.doubleToRawLongBits(change.number().doubleValue()));
        } else if (change.number() instanceof Long of && (form == Form.LONG || of == of.intValue())) {
            LONG.set(number, 0, (long) of);
        } else {
            throw unfit(change, values);
        }
        return new RawFunction(function, form, isWhole, change.offset(), number);
    }

    @SuppressWarnings("unchecked")
    private static <T, V> byte[] operand(ValueChange<T> change, Codec<V> values) {
        return change.bytes((Codec<? super T>) values);         // its value is of the type of the map's values
    }

    private static Form form(ValueChange<?> change, Codec<?> values) {
        String description = values.describe();
        if (Codecs.LONG.hasBytesOf(description)) {
            return Form.LONG;
        }
        if (Codecs.INT.hasBytesOf(description)) {
            return Form.INT;
        }
        if (Codecs.of(Double.class).hasBytesOf(description)) {
            return Form.DOUBLE;
        }
        throw unfit(change, values);
    }

    private static IllegalArgumentException unfit(ValueChange<?> change, Codec<?> values) {
        return new IllegalArgumentException(change + " is no change of values of " + values.describe());
    }

    /** {@return the bytes of this function} */
    public byte[] toBytes() {
        byte[] bytes = new byte[HEAD_BYTES + operand.length];
        bytes[0] = (byte) function.ordinal();
        bytes[FORM_AT] = (byte) form.ordinal();
        bytes[WHOLE_AT] = (byte) (isWhole ? 1 : 0);
        INT.set(bytes, OFFSET_AT, offset);
        System.arraycopy(operand, 0, bytes, HEAD_BYTES, operand.length);
        return bytes;
    }

    /**
     * Reads a function.
     *
     * @param bytes have it, from {@code from} to their end
     * @param from index of its first byte
     * @return the function
     * @throws MalformedException if the bytes are none
     */
    public static RawFunction read(byte[] bytes, int from) {
        int length = bytes.length - from - HEAD_BYTES;
        if (length < 0 || bytes[from] < 0 || bytes[from] >= FUNCTIONS.length || bytes[from + FORM_AT] < 1
            || bytes[from + FORM_AT] >= FORMS.length || (bytes[from + WHOLE_AT] & ~1) != 0
            || bytes[from + OFFSET_AT - 1] != 0) {
            throw malformed();
        }
        RawFunction function = new RawFunction(FUNCTIONS[bytes[from]], FORMS[bytes[from + FORM_AT]],
            bytes[from + WHOLE_AT] != 0, (int) INT.get(bytes, from + OFFSET_AT),
            Arrays.copyOfRange(bytes, from + HEAD_BYTES, bytes.length));
        if (!function.isValid()) {
            throw malformed();
        }
        return function;
    }

    private static MalformedException malformed() {
        return new MalformedException(0, "no function of a value", (Throwable) null);
    }

    private boolean isValid() {
        return switch (function) {
            case APPEND -> isWhole && offset == 0;
            case PUT_IF_GREATER -> !isWhole && form == Form.LONG && offset >= 0
                && offset <= operand.length - Long.BYTES;
            case AND, OR, XOR -> hasNumber() && form != Form.DOUBLE;
            default -> hasNumber();
        };
    }

    private boolean hasNumber() {
        return operand.length == Long.BYTES && (isWhole ? offset == 0 : offset >= 0);
    }

    // ---- the function ----

    /**
     * Returns the value behind the change.
     *
     * @param bytes the present value, from index 0 on
     * @param length its length; negative if there is no entry
     * @return the new value; null if nothing changes
     * @throws IndexOutOfBoundsException if the value is too short for the field
     */
    public byte @Nullable [] apply(byte[] bytes, int length) {
        if (length < 0) {
            return function == Function.PUT_IF_GREATER || function == Function.APPEND ? operand.clone()
                : isWhole ? Arrays.copyOf(operand, width()) : null;
        }
        return switch (function) {
            case APPEND -> appended(bytes, length);
            case PUT_IF_GREATER -> {
                Objects.checkFromIndexSize(offset, Long.BYTES, length);
                yield (long) LONG.get(operand, offset) > (long) LONG.get(bytes, offset) ? operand.clone() : null;
            }
            default -> withNumber(bytes, length);
        };
    }

    private int width() {
        return form == Form.INT ? Integer.BYTES : Long.BYTES;
    }

    private byte @Nullable [] appended(byte[] bytes, int length) {
        if (operand.length == 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(bytes, Math.addExact(length, operand.length));
        System.arraycopy(operand, 0, next, length, operand.length);
        return next;
    }

    private byte @Nullable [] withNumber(byte[] bytes, int length) {
        Objects.checkFromIndexSize(offset, width(), length);
        long given = (long) LONG.get(operand, 0);
        long present = form == Form.INT ? (int) INT.get(bytes, offset) : (long) LONG.get(bytes, offset);
        long made = form == Form.DOUBLE ? Double.doubleToRawLongBits(fraction(Double.longBitsToDouble(present),
            Double.longBitsToDouble(given))) : integer(present, given);
        long next = form == Form.INT ? (int) made : made;
        if (next == present) {
            return null;
        }
        byte[] value = Arrays.copyOf(bytes, length);
        if (form == Form.INT) {
            INT.set(value, offset, (int) next);
        } else {
            LONG.set(value, offset, next);
        }
        return value;
    }

    private long integer(long present, long given) {
        return switch (function) {
            case ADD -> present + given;
            case MIN -> Math.min(present, given);
            case MAX -> Math.max(present, given);
            case AND -> present & given;
            case OR -> present | given;
            case XOR -> present ^ given;
            default -> given;
        };
    }

    private double fraction(double present, double given) {
        return switch (function) {
            case ADD -> present + given;
            case MIN -> Math.min(present, given);
            case MAX -> Math.max(present, given);
            default -> given;
        };
    }
}
