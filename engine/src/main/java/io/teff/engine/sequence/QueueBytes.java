package io.teff.engine.sequence;

import io.teff.engine.storage.CollectionChunks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A copy of a queue's segment on the heap ({@link QueueLayout}). Not thread-safe. */
final class QueueBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes = new byte[QueueLayout.SEGMENT_BYTES];

    byte[] bytes() {
        return bytes;
    }

    /** Returns the content of a segment without records. */
    static byte[] empty() {
        byte[] empty = new byte[QueueLayout.SEGMENT_BYTES];
        INT.set(empty, QueueLayout.FROM_AT, QueueLayout.RECORDS_AT);
        INT.set(empty, QueueLayout.END_AT, QueueLayout.RECORDS_AT);
        return empty;
    }

    /** Copies a segment; returns false if the chunk does not exist or is not a segment. */
    boolean copy(CollectionChunks chunks, long segment) {
        return chunks.get(segment, bytes) == bytes.length && isSound();
    }

    /** Returns whether the rest of the segment is a sequence of whole records. */
    private boolean isSound() {
        final int end = end();
        int at = from();
        boolean sound = at >= QueueLayout.RECORDS_AT && end <= bytes.length;
        while (sound && at < end) {
            final int record = at <= end - QueueLayout.RECORD_BYTES ? record(at) : QueueLayout.LENGTH_MASK;
            final int length = QueueLayout.length(record);
            sound = QueueLayout.isOverflow(record) ? length == OverflowElements.LINK_BYTES
                : length <= QueueLayout.INLINE_BYTES_MAX;
            at += QueueLayout.RECORD_BYTES + length;
        }
        return sound && at == end;
    }

    long next() {
        return (long) LONG.get(bytes, QueueLayout.NEXT_AT);
    }

    /** Returns the offset of the first record that was not taken. */
    int from() {
        return (int) INT.get(bytes, QueueLayout.FROM_AT);
    }

    int end() {
        return (int) INT.get(bytes, QueueLayout.END_AT);
    }

    int record(int at) {
        return (short) SHORT.get(bytes, at) & 0xFFFF;
    }
}
