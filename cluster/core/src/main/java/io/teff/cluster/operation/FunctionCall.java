package io.teff.cluster.operation;

import io.teff.cluster.ClusterFunction;
import io.teff.engine.codec.MalformedException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A call of a registered function, in place of the value of a change of a map.
 * <pre>
 *  0                   4
 * +-------------------+------------------+---------------------+
 * | bytes of the name | name in UTF-8    | argument, to the end |
 * +-------------------+------------------+---------------------+
 * </pre>
 *
 * @param name of the function
 * @param argument for the function
 */
public record FunctionCall(String name, byte[] argument) {
    private static final int NAME_AT = Integer.BYTES;

    /**
     * Checks the lengths.
     *
     * @throws IllegalArgumentException if the name or the argument is too long
     */
    public FunctionCall {
        final int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < 1 || length > ClusterFunction.NAME_BYTES_MAX) {
            throw new IllegalArgumentException("a name of a function of " + length + " bytes: names have 1 to "
                + ClusterFunction.NAME_BYTES_MAX);
        }
        if (argument.length > ClusterFunction.ARGUMENT_BYTES_MAX) {
            throw new IllegalArgumentException("an argument of " + argument.length + " bytes: arguments of functions "
                + "have at most " + ClusterFunction.ARGUMENT_BYTES_MAX);
        }
    }

    /** {@return the bytes of this call} */
    public byte[] toBytes() {
        final byte[] text = name.getBytes(StandardCharsets.UTF_8);
        final byte[] bytes = new byte[NAME_AT + text.length + argument.length];
        MemorySegment.ofArray(bytes).set(OperationFormat.INT, 0, text.length);
        System.arraycopy(text, 0, bytes, NAME_AT, text.length);
        System.arraycopy(argument, 0, bytes, NAME_AT + text.length, argument.length);
        return bytes;
    }

    /**
     * Reads a call.
     *
     * @param bytes have the call, from {@code from} to their end
     * @param from index of its first byte
     * @return the call
     * @throws MalformedException if the bytes are none
     */
    public static FunctionCall read(byte[] bytes, int from) {
        final int length = bytes.length - from < NAME_AT ? -1
            : MemorySegment.ofArray(bytes).get(OperationFormat.INT, from);
        if (length < 1 || length > Math.min(bytes.length - from - NAME_AT, ClusterFunction.NAME_BYTES_MAX)) {
            throw new MalformedException(from, "no call of a function", null);
        }
        final int argument = from + NAME_AT + length;
        try {
            return new FunctionCall(new String(bytes, from + NAME_AT, length, StandardCharsets.UTF_8),
                Arrays.copyOfRange(bytes, argument, bytes.length));
        } catch (IllegalArgumentException e) {
            throw new MalformedException(argument, "no call of a function", e);
        }
    }

    /**
     * The decision of a function. Without a failure: the result for the caller, and the change of the entry.
     *
     * @param code DONE, NO_FUNCTION or FUNCTION_FAILED
     * @param result of the function, or the text of a failure; null for none
     * @param hasChange whether the entry gets a value, or is removed
     * @param value that the entry gets; null if the entry is removed
     */
    record Decision(int code, byte @Nullable [] result, boolean hasChange, byte @Nullable [] value) {}
}
