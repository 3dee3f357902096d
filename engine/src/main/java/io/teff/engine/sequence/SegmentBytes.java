package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A copy of a list's segment on the heap ({@link ListSegmentLayout}), which is changed and written back. Not
 * thread-safe.
 */
final class SegmentBytes {
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    /** The length of a segment's chunk is rounded up to a multiple of this, so that most appends find room. */
    private static final int STEP_BYTES = 64;
    private static final int BYTES_MAX = ListSegmentLayout.elementsAt(ChunkList.SEGMENT, -1)
        + ChunkList.SEGMENT * ListSegmentLayout.INLINE_BYTES_MAX + STEP_BYTES;

    private final int fixedBytes;
    private final byte[] bytes = new byte[BYTES_MAX];

    SegmentBytes(int fixedBytes) {
        this.fixedBytes = fixedBytes;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Empties the segment. */
    SegmentBytes clear() {
        Arrays.fill(bytes, (byte) 0);
        return this;
    }

    int count() {
        return (short) SHORT.get(bytes, 0);
    }

    private void setCount(int count) {
        SHORT.set(bytes, 0, (short) count);
    }

    private int rawEnd(int at) {
        return (short) SHORT.get(bytes, ListSegmentLayout.endAt(at)) & 0xFFFF;
    }

    private void setEnd(int at, int end) {
        SHORT.set(bytes, ListSegmentLayout.endAt(at), (short) end);
    }

    private int start(int at) {
        return fixedBytes >= 0 ? at * fixedBytes : at == 0 ? 0 : rawEnd(at - 1) & ListSegmentLayout.END_MASK;
    }

    boolean isOverflow(int at) {
        return fixedBytes < 0 && (rawEnd(at) & ListSegmentLayout.OVERFLOW) != 0;
    }

    /** Returns the index in {@link #bytes} of an element's first byte. */
    int from(int at) {
        return ListSegmentLayout.elementsAt(count(), fixedBytes) + start(at);
    }

    int length(int at) {
        return start(at + 1) - start(at);
    }

    long overflowCid(int at) {
        return OverflowElements.link(bytes, from(at));
    }

    /** Returns the number of bytes in use. */
    int used() {
        return ListSegmentLayout.elementsAt(count(), fixedBytes) + start(count());
    }

    /** Returns the length of the chunk to write, with room for more elements unless the segment is full. */
    int chunkBytes() {
        return count() == ChunkList.SEGMENT ? used() : used() + STEP_BYTES - 1 & -STEP_BYTES;
    }

    /** Inserts an element before the one at an index. */
    void insert(int at, byte[] source, int from, int length, boolean overflow) {
        int count = count();
        int used = used();
        int end = start(count);
        if (fixedBytes < 0) {
            int place = ListSegmentLayout.endAt(at);
            System.arraycopy(bytes, place, bytes, place + ListSegmentLayout.END_BYTES, used - place);
        }
        setCount(count + 1);
        int start = start(at);
        int first = ListSegmentLayout.elementsAt(count + 1, fixedBytes);
        System.arraycopy(bytes, first + start, bytes, first + start + length, end - start);
        System.arraycopy(source, from, bytes, first + start, length);
        if (fixedBytes < 0) {
            setEnd(at, start + length | (overflow ? ListSegmentLayout.OVERFLOW : 0));
            shiftEnds(at + 1, length);
        }
    }

    /** Replaces the bytes of an element. */
    void set(int at, byte[] source, int from, int length, boolean overflow) {
        int old = length(at);
        int place = from(at);
        System.arraycopy(bytes, place + old, bytes, place + length, used() - place - old);
        System.arraycopy(source, from, bytes, place, length);
        if (fixedBytes < 0) {
            setEnd(at, start(at) + length | (overflow ? ListSegmentLayout.OVERFLOW : 0));
            shiftEnds(at + 1, length - old);
        }
    }

    /** Removes an element. */
    void remove(int at) {
        int count = count();
        int used = used();
        int length = length(at);
        int place = from(at);
        System.arraycopy(bytes, place + length, bytes, place, used - place - length);
        used -= length;
        if (fixedBytes < 0) {
            shiftEnds(at + 1, -length);
            int end = ListSegmentLayout.endAt(at);
            System.arraycopy(bytes, end + ListSegmentLayout.END_BYTES, bytes, end,
                used - end - ListSegmentLayout.END_BYTES);
            used -= ListSegmentLayout.END_BYTES;
        }
        setCount(count - 1);
        Arrays.fill(bytes, used, used + length + ListSegmentLayout.END_BYTES, (byte) 0);
    }

    private void shiftEnds(int from, int distance) {
        for (int i = from; i < count(); i++) {
            setEnd(i, rawEnd(i) + distance);
        }
    }

    /** Returns whether the bytes copied from a chunk form a segment. */
    boolean isWhole(int chunkBytes) {
        int count = count();
        if (count < 0 || count > ChunkList.SEGMENT || ListSegmentLayout.elementsAt(count, fixedBytes) > chunkBytes) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (length(i) < 0 || isOverflow(i) && length(i) != OverflowElements.LINK_BYTES) {
                return false;
            }
        }
        return used() <= chunkBytes;
    }
}
