package io.teff.graph.algorithms.program;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Messages of one share to another in the order of sending, as bytes that a network could carry.
 *
 * <pre>
 * +-------------------+------------------+
 * | int target vertex | bytes of message |  ... the next message
 * +-------------------+------------------+
 * </pre>
 */
final class MessageRun {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MESSAGES_FIRST = 16;
    private static final int BYTES_MAX = Integer.MAX_VALUE - Byte.SIZE;

    private final int recordBytes;
    private byte[] bytes = new byte[0];
    private int end;

    MessageRun(int messageBytes) {
        recordBytes = Integer.BYTES + messageBytes;
    }

    void add(int target, Packed message, Packed window) {
        if (end > bytes.length - recordBytes) {
            grow();
        }
        INTS.set(bytes, end, target);
        window.at(bytes, end + Integer.BYTES).copy(message);
        end += recordBytes;
    }

    int count() {
        return end / recordBytes;
    }

    int target(int index) {
        return (int) INTS.get(bytes, index * recordBytes);
    }

    Packed message(int index, Packed window) {
        return window.at(bytes, index * recordBytes + Integer.BYTES);
    }

    void clear() {
        end = 0;
    }

    private void grow() {
        if (end > BYTES_MAX - recordBytes) {
            throw new IllegalStateException("more than " + BYTES_MAX + " bytes of messages from one share to another");
        }
        long size = Math.max(bytes.length * 2L, (long) recordBytes * MESSAGES_FIRST);
        bytes = Arrays.copyOf(bytes, (int) Math.min(BYTES_MAX, size));
    }
}
