package io.teff.engine.chunk;

import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The parts of a chunk in which two contents differ: the content of an entry of bytes. For one thread; used again and
 * again.
 */
final class ContentDiff {
    /** Result of {@link #compare} if the contents differ too much. */
    static final int TOO_MUCH = -1;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int PARTS_MAX = 64;
    /** Bytes of a content for which a thread keeps room. */
    private static final int ROOM_KEPT = 1 << 14;

    private final int[] starts = new int[PARTS_MAX];
    private final int[] ends = new int[PARTS_MAX];
    private byte[] room = {};
    private int count;
    private int contentBytes;

    /** Returns an array for a content, with any bytes in it. Short arrays are kept for the next content. */
    byte[] room(int bytes) {
        if (bytes > ROOM_KEPT) {
            return new byte[bytes];
        }
        if (room.length < bytes) {
            room = new byte[Math.min(2 * bytes, ROOM_KEPT)];
        }
        return room;
    }

    /** Begins without parts. */
    void clear() {
        count = 0;
        contentBytes = ChangedBytes.HEAD_BYTES;
    }

    /**
     * Adds the part behind all others.
     *
     * @return whether there is room for the part
     */
    boolean add(int start, int end) {
        if (count == PARTS_MAX) {
            return false;
        }
        contentBytes += ChangedBytes.partBytes(start - (count == 0 ? 0 : ends[count - 1]), end - start);
        starts[count] = start;
        ends[count++] = end;
        return true;
    }

    /** Returns the bytes of the content. */
    int contentBytes() {
        return contentBytes;
    }

    /**
     * Finds the parts. A part is compared by words, so that fewer than eight equal bytes are no gap: the slots of a
     * tree node that have moved by one slot have a few equal bytes each.
     *
     * @param before the content before, cut or filled up with zeros to the length of the new content
     * @param from first byte of the content before
     * @param now the new content
     * @param length bytes of the new content
     * @param bytesMax limit of the result
     * @return bytes of the content of an entry, or TOO_MUCH
     */
    int compare(byte[] before, int from, byte[] now, int length, int bytesMax) {
        clear();
        for (int start = next(before, from, now, 0, length); start < length; ) {
            final int end = end(before, from, now, start, length);
            if (count < PARTS_MAX) {
                add(start, end);
            } else {
                extend(end);
            }
            if (contentBytes > bytesMax) {
                return TOO_MUCH;
            }
            start = next(before, from, now, end, length);
        }
        return contentBytes > bytesMax ? TOO_MUCH : contentBytes;
    }

    /** Returns the end of the part that begins with a different byte. */
    private static int end(byte[] before, int from, byte[] now, int start, int length) {
        int end = start + 1;
        int at = start;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            final long difference = (long) LONG.get(before, from + at) ^ (long) LONG.get(now, at);
            if (difference == 0) {
                return end;
            }
            end = at + Long.BYTES - Long.numberOfLeadingZeros(difference) / Byte.SIZE;
        }
        for (; at < length; at++) {
            end = before[from + at] == now[at] ? end : at + 1;
        }
        return end;
    }

    /** Lets the last part reach to another end, with the equal bytes between. */
    private void extend(int end) {
        final int last = count - 1;
        final int gap = starts[last] - (last == 0 ? 0 : ends[last - 1]);
        contentBytes += ChangedBytes.partBytes(gap, end - starts[last])
            - ChangedBytes.partBytes(gap, ends[last] - starts[last]);
        ends[last] = end;
    }

    /** Returns the first place from {@code at} on where the contents differ, or {@code length}. */
    private static int next(byte[] before, int from, byte[] now, int at, int length) {
        if (at < length && before[from + at] != now[at]) {
            return at;
        }
        final int equal = Arrays.mismatch(before, from + at, from + length, now, at, length);
        return equal < 0 ? length : at + equal;
    }

    /**
     * Writes the content of the entry.
     *
     * @param memory of the chunk
     * @param address of the chunk's content
     * @param chunkBytes length of the chunk
     * @param predecessor number of the entry before
     * @param target memory of the entry
     * @param at offset of the content there
     */
    void write(Memory memory, long address, int chunkBytes, long predecessor, MemorySegment target, long at) {
        long next = ChangedBytes.writeHead(target, at, predecessor, chunkBytes);
        for (int i = 0; i < count; i++) {
            final int length = ends[i] - starts[i];
            next = ChangedBytes.writePart(target, next, starts[i] - (i == 0 ? 0 : ends[i - 1]), length);
            memory.copyOut(address + starts[i], target, next, length);
            next += length;
        }
        assert next == at + contentBytes : next;
    }
}
