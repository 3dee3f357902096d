package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import io.teff.engine.error.Status;
import io.teff.engine.storage.CollectionChunks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A copy of a list's segment on the heap ({@link ListSegmentLayout}), which is read, or changed and written back. Not
 * thread-safe.
 */
final class SegmentBytes {
    /** The most bytes of a segment and its room. */
    static final int BYTES_MAX;

    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /** The length of a segment's chunk is rounded up to a multiple of this, so that most appends find room. */
    private static final int STEP_BYTES = 64;

    static {
        BYTES_MAX = ListSegmentLayout.elementsAt(ListSegmentLayout.LINKED | ChunkList.SEGMENT, -1)
            + ChunkList.SEGMENT * ListSegmentLayout.INLINE_BYTES_MAX + STEP_BYTES;
    }

    private final int fixedBytes;
    private byte[] bytes;

    /**
     * Creates an empty segment.
     *
     * @param fixedBytes length of each element, or -1
     * @param bytesFirst bytes of the array; {@link #BYTES_MAX} for a segment that is changed
     */
    SegmentBytes(int fixedBytes, int bytesFirst) {
        this.fixedBytes = fixedBytes;
        this.bytes = new byte[bytesFirst];
    }

    /** Copies the bytes of a chunk as of one moment; returns their number, or ABSENT. The array grows as needed. */
    int copy(CollectionChunks chunks, long cid) {
        for (;;) {
            int length = chunks.get(cid, bytes);
            if (length != Status.TOO_SMALL || bytes.length >= BYTES_MAX) {
                return length;
            }
            bytes = new byte[(int) Math.min(Math.max(chunks.size(cid), 2L * bytes.length), BYTES_MAX)];
        }
    }

    byte[] bytes() {
        return bytes;
    }

    /** Empties the segment; it has no link then. */
    void clear() {
        setHead(0);
    }

    private int head() {
        return (short) SHORT.get(bytes, 0) & 0xFFFF;
    }

    private void setHead(int head) {
        SHORT.set(bytes, 0, (short) head);
    }

    int count() {
        return ListSegmentLayout.count(head());
    }

    private void setCount(int count) {
        setHead(head() & ListSegmentLayout.LINKED | count);
    }

    // ---- order of the segments ----

    /**
     * Returns the number of the segment behind, or LAST.
     *
     * @param number number of this segment
     * @param numbers number of the list's chunks
     */
    int next(int number, long numbers) {
        int next = ListSegmentLayout.isLinked(head()) ? (int) INT.get(bytes, ListSegmentLayout.LINK_AT) : number + 1;
        return next >= numbers ? ListSegmentLayout.LAST : next;
    }

    /** Sets the number of the segment behind, or LAST. Writes no link if there are no more numbers than needed. */
    void setNext(int next, int number, long numbers) {
        boolean isImplied = next == ListSegmentLayout.LAST ? number + 1 >= numbers : next == number + 1;
        int head = head();
        int used = used();
        if (isImplied == ListSegmentLayout.isLinked(head)) {
            int from = ListSegmentLayout.endsAt(head);
            setHead(isImplied ? ListSegmentLayout.count(head) : head | ListSegmentLayout.LINKED);
            System.arraycopy(bytes, from, bytes, ListSegmentLayout.endsAt(head()), used - from);
        }
        if (!isImplied) {
            INT.set(bytes, ListSegmentLayout.LINK_AT, next);
        }
    }

    // ---- elements ----

    private int rawEnd(int at) {
        return (short) SHORT.get(bytes, ListSegmentLayout.endAt(head(), at)) & 0xFFFF;
    }

    private void setEnd(int at, int end) {
        SHORT.set(bytes, ListSegmentLayout.endAt(head(), at), (short) end);
    }

    private int start(int at) {
        return fixedBytes >= 0 ? at * fixedBytes : at == 0 ? 0 : rawEnd(at - 1) & ListSegmentLayout.END_MASK;
    }

    boolean isOverflow(int at) {
        return fixedBytes < 0 && (rawEnd(at) & ListSegmentLayout.OVERFLOW) != 0;
    }

    /** Returns the index in {@link #bytes} of an element's first byte. */
    int from(int at) {
        return ListSegmentLayout.elementsAt(head(), fixedBytes) + start(at);
    }

    int length(int at) {
        return start(at + 1) - start(at);
    }

    /** Returns the chunk of an overflow element, or 0 for another element. */
    long overflowCid(int at) {
        return isOverflow(at) ? OverflowElements.link(bytes, from(at)) : 0;
    }

    /** Returns whether an element has the same bytes, or the same overflow chunk, as an element of another copy. */
    boolean isSame(int at, SegmentBytes other, int otherAt) {
        return isOverflow(at) == other.isOverflow(otherAt)
            && Arrays.equals(bytes, from(at), from(at) + length(at), other.bytes, other.from(otherAt),
            other.from(otherAt) + other.length(otherAt));
    }

    /** Returns the number of bytes in use. */
    int used() {
        return ListSegmentLayout.elementsAt(head(), fixedBytes) + start(count());
    }

    /** Returns the length of the chunk to write, with room for more elements unless the segment is full or empty. */
    int chunkBytes() {
        int count = count();
        return count == ChunkList.SEGMENT || count == 0 ? used() : used() + STEP_BYTES - 1 & -STEP_BYTES;
    }

    /** Clears the room in front of the end of the chunk to write. */
    void clearRoom(int chunkBytes) {
        Arrays.fill(bytes, used(), chunkBytes, (byte) 0);
    }

    /** Inserts an element before the one at an index. */
    void insert(int at, byte[] source, int from, int length, boolean overflow) {
        int count = count();
        int used = used();
        int end = start(count);
        if (fixedBytes < 0) {
            int place = ListSegmentLayout.endAt(head(), at);
            System.arraycopy(bytes, place, bytes, place + ListSegmentLayout.END_BYTES, used - place);
        }
        setCount(count + 1);
        int start = start(at);
        int first = ListSegmentLayout.elementsAt(head(), fixedBytes);
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
            int end = ListSegmentLayout.endAt(head(), at);
            System.arraycopy(bytes, end + ListSegmentLayout.END_BYTES, bytes, end,
                used - end - ListSegmentLayout.END_BYTES);
        }
        setCount(count - 1);
    }

    /** Appends the elements of another segment from an index on. */
    void appendFrom(SegmentBytes other, int at) {
        for (int i = at; i < other.count(); i++) {
            insert(count(), other.bytes, other.from(i), other.length(i), other.isOverflow(i));
        }
    }

    /** Removes all elements from an index on. */
    void truncate(int count) {
        if (fixedBytes < 0) {
            int from = from(0);
            int length = start(count);
            setCount(count);
            System.arraycopy(bytes, from, bytes, from(0), length);
        } else {
            setCount(count);
        }
    }

    private void shiftEnds(int from, int distance) {
        for (int i = from; i < count(); i++) {
            setEnd(i, rawEnd(i) + distance);
        }
    }

    /** Returns whether the bytes copied from a chunk form a segment. */
    boolean isWhole(int chunkBytes) {
        if (chunkBytes < ListSegmentLayout.HEAD_BYTES || count() > ChunkList.SEGMENT
            || ListSegmentLayout.elementsAt(head(), fixedBytes) > chunkBytes) {
            return false;
        }
        for (int i = 0; i < count(); i++) {
            if (length(i) < 0 || isOverflow(i) && length(i) != OverflowElements.LINK_BYTES) {
                return false;
            }
        }
        return used() <= chunkBytes && next(0, Integer.MAX_VALUE) >= ListSegmentLayout.LAST;
    }
}
