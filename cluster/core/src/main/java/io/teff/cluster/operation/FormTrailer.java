package io.teff.cluster.operation;

import io.teff.engine.codec.Output;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The bytes behind a value of a later form, and in front of a function for values of a form. Numbers are
 * little-endian.
 * <pre>
 *  value of the first form       value
 *  value of another form         value | form 1 | mark 8
 *  function for values           255 1 | form 1 | mark 8 | function or call
 * </pre>
 * The mark is a random number of the collection, which only its row in the directory has. A value of the first form
 * ends with the mark by chance once in 2^64 values. Neither a function nor a call begins with 255.
 */
public final class FormTrailer {
    /** Most forms of a collection, the first one included. */
    public static final int FORMS_MAX = 100;
    /** Bytes behind a value that has not the first form. */
    public static final int BYTES = 1 + Long.BYTES;
    /** Bytes in front of a function. */
    public static final int GUARD_BYTES = 1 + BYTES;

    private static final byte GUARD = (byte) 0xFF;

    private final int form;
    private final long mark;

    private FormTrailer(int form, long mark) {
        this.form = form;
        this.mark = mark;
    }

    /**
     * Returns the form of a value.
     *
     * @param bytes have the value
     * @param from index of its first byte
     * @param length number of its bytes, with a trailer
     * @param mark of the collection
     * @return number of the form; 0 for the first form
     */
    public static int formOf(byte[] bytes, int from, int length, long mark) {
        return length >= BYTES && MemorySegment.ofArray(bytes).get(OperationFormat.LONG, from + length - Long.BYTES)
            == mark ? bytes[from + length - BYTES] & 0xFF : 0;
    }

    /**
     * Returns the length of a trailer.
     *
     * @param form number of a form
     * @return bytes behind the values of the form
     */
    public static int bytesOf(int form) {
        return form > 0 ? BYTES : 0;
    }

    /**
     * Puts the trailer behind a value.
     *
     * @param out has the value
     * @param form number of the form, not the first one
     * @param mark of the collection
     */
    public static void put(Output out, int form, long mark) {
        out.putByte((byte) form);
        out.putLong(mark);
    }

    /**
     * Returns a value with the trailer of its form.
     *
     * @param plain the value
     * @param form number of the form
     * @param mark of the collection
     * @return the value itself if the form has no trailer
     */
    public static byte[] sealed(byte[] plain, int form, long mark) {
        if (form == 0) {
            return plain;
        }
        final byte[] bytes = Arrays.copyOf(plain, plain.length + BYTES);
        bytes[plain.length] = (byte) form;
        MemorySegment.ofArray(bytes).set(OperationFormat.LONG, plain.length + 1, mark);
        return bytes;
    }

    // ---- guards ----

    /**
     * Returns a function, or a call, that is applied to values of one form only.
     *
     * @param function bytes of the function
     * @param form number of the form
     * @param mark of the collection
     * @return the guard and the function
     */
    public static byte[] guarded(byte[] function, int form, long mark) {
        final byte[] bytes = new byte[GUARD_BYTES + function.length];
        bytes[0] = GUARD;
        bytes[1] = (byte) form;
        MemorySegment.ofArray(bytes).set(OperationFormat.LONG, 2, mark);
        System.arraycopy(function, 0, bytes, GUARD_BYTES, function.length);
        return bytes;
    }

    /**
     * Returns the length of the guard of a function.
     *
     * @param function bytes of a function or call
     * @return bytes in front of it
     */
    public static int guardBytes(byte[] function) {
        return guardOf(function, 0).guardBytes();
    }

    /** Returns the guard of a function; a guard that accepts each value if the function has none. */
    static FormTrailer guardOf(byte[] bytes, int from) {
        return bytes.length - from < GUARD_BYTES || bytes[from] != GUARD ? new FormTrailer(-1, 0)
            : new FormTrailer(bytes[from + 1] & 0xFF, MemorySegment.ofArray(bytes).get(OperationFormat.LONG, from + 2));
    }

    /** Returns the bytes of the guard in front of the function. */
    int guardBytes() {
        return form < 0 ? 0 : GUARD_BYTES;
    }

    /** Returns whether the function is for a value. */
    boolean accepts(byte[] bytes, int length) {
        return form < 0 || length < 0 || formOf(bytes, 0, length, mark) == form;
    }

    /** Returns the length of an accepted value without its trailer. */
    int plainLength(int length) {
        return length < 0 ? length : length - bytesOf(form);
    }

    /** Returns a value that the function has made, with its trailer. */
    byte[] sealed(byte[] plain) {
        return sealed(plain, Math.max(form, 0), mark);
    }
}
