package io.teff.engine.hash;

import io.teff.engine.memory.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Search and change of a bucket in its chunk ({@link BucketLayout}).
 *
 * <p>{@link #find} may read bytes that change at the same time. It never reads outside the chunk, and its result counts
 * only if the stripe's word validates afterwards. All other methods are called inside the stripe.
 */
final class Bucket {
    /** Result of {@link #find}: no entry matches. */
    static final int ABSENT = -1;

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = ONES << Byte.SIZE - 1;
    private static final int BYTE_SHIFT = 3;
    /** Number of tags that {@link #first} compares. */
    static final int AT_ONCE = 16;
    /** Bytes of each bucket that {@link #first} and {@link #fetch} read; shorter ones must not be passed. */
    static final int LOOKED_AT_BYTES = BucketLayout.HEADER_BYTES + AT_ONCE;

    private static final int LINE_BYTES = 64;
    /** Largest number of lines of an entry that are fetched. */
    private static final int LINES_MAX = 4;

    private Bucket() {}

    /**
     * Searches for an entry. An overflow entry matches by its hash alone.
     *
     * @param keyBytes the key as it stands in entries, or null if the key is the 8 bytes of {@code key}
     * @param after index of the first entry to compare
     */
    static int find(Memory memory, long address, long length, long header, long hash, long key,
                    byte @Nullable [] keyBytes, int keyLength, int after) {
        final int count = BucketLayout.count(header);
        final int slots = BucketLayout.slots(header);
        if (count > slots || (slots & BucketLayout.GROUP - 1) != 0
            || BucketLayout.entriesAt(header) + (long) count * BucketLayout.size(header) > length) {
            return ABSENT;
        }
        final long pattern = BucketLayout.tag(hash) * ONES;
        for (int group = after & -BucketLayout.GROUP; group < count; group += BucketLayout.GROUP) {
            final long differences = memory.getFieldLong(address + BucketLayout.HEADER_BYTES + group) ^ pattern;
            long hits = differences - ONES & ~differences & HIGHS;
            for (; hits != 0; hits &= hits - 1) {
                final int index = group + (Long.numberOfTrailingZeros(hits) >>> BYTE_SHIFT);
                if (index >= after && index < count
                    && isKey(memory, address, length, header, index, hash, key, keyBytes, keyLength)) {
                    return index;
                }
            }
        }
        return ABSENT;
    }

    /**
     * Compares the first {@link #AT_ONCE} tags without a branch.
     *
     * @param place address of the bucket; its chunk must have {@link #AT_ONCE} bytes behind the header
     * @return the index of the first entry with the hash's tag, or {@link #AT_ONCE}
     */
    static int first(Memory memory, long place, long hash) {
        final long pattern = BucketLayout.tag(hash) * ONES;
        final int low = first(Memory.getFieldLong(memory, place, BucketLayout.HEADER_BYTES) ^ pattern);
        final int high = first(Memory.getFieldLong(memory, place, BucketLayout.HEADER_BYTES + Long.BYTES) ^ pattern);
        return low + (high & -(low >>> BYTE_SHIFT));
    }

    /**
     * Loads the lines of the first entry with a hash's tag, so that they are in the cache. All that this reads may be
     * torn; it reads inside the chunk only.
     *
     * @param place place of the bucket
     * @param chunkBytes length of its chunk, at least {@link #LOOKED_AT_BYTES}
     * @return a number without meaning, to be stored, so that the loads are not removed
     */
    static long fetch(Memory memory, long place, int chunkBytes, long hash) {
        final long header = Memory.getFieldLong(memory, place, 0);
        final int which = first(memory, place, hash);
        if (which >= BucketLayout.count(header)) {
            return header;
        }
        final int last = chunkBytes - Long.BYTES;
        final int size = BucketLayout.size(header);
        int from = BucketLayout.uniformAt(header, which);
        int bytes = size;
        if (size == 0) {
            final int end = Math.min(BucketLayout.endAt(header, Math.max(which - 1, 0)), last);
            final int ends = (int) Memory.getFieldLong(memory, place, end);
            from = BucketLayout.entriesAt(header) + (which == 0 ? 0 : ends & BucketLayout.END_MASK);
            bytes = LINE_BYTES;
        }
        long sum = 0;
        for (int i = 0; i < LINES_MAX && i * LINE_BYTES < bytes; i++) {
            sum += Memory.getFieldLong(memory, place, Math.min(from + i * LINE_BYTES, last));
        }
        return sum + Memory.getFieldLong(memory, place, Math.min(from + bytes - Long.BYTES, last));
    }

    /** Returns the index of the lowest zero byte, or 8. */
    private static int first(long differences) {
        return Long.numberOfTrailingZeros(differences - ONES & ~differences & HIGHS) >>> BYTE_SHIFT;
    }

    private static boolean isKey(Memory memory, long address, long length, long header, int index, long hash,
                                 long key, byte @Nullable [] keyBytes, int keyLength) {
        final int start = start(memory, address, header, index);
        final int end = end(memory, address, header, index);
        final int bytes = (end & BucketLayout.END_MASK) - start;
        final int at = BucketLayout.entriesAt(header) + start;
        if ((end & BucketLayout.OVERFLOW) != 0) {
            return bytes == BucketLayout.LINK_BYTES && at + bytes <= length
                && memory.getFieldLong(address + at) == hash;
        }
        if (bytes < keyLength || at + bytes > length) {
            return false;
        }
        return keyBytes == null ? memory.getFieldLong(address + at) == key
            : memory.isEqual(address + at, keyBytes, 0, keyLength);
    }

    /** Returns the offset of an entry from the first entry. */
    static int start(Memory memory, long address, long header, int index) {
        final int size = BucketLayout.size(header);
        return size > 0 ? index * size
            : index == 0 ? 0 : end(memory, address, header, index - 1) & BucketLayout.END_MASK;
    }

    /**
     * Returns the offset of an entry's end from the first entry, with the bit {@link BucketLayout#OVERFLOW} if it is
     * set.
     */
    static int end(Memory memory, long address, long header, int index) {
        final int size = BucketLayout.size(header);
        return size > 0 ? (index + 1) * size
            : memory.getFieldShort(address + BucketLayout.endAt(header, index)) & 0xFFFF;
    }

    /** Returns the total size of all entries in bytes. */
    static int entriesBytes(Memory memory, long address, long header) {
        return start(memory, address, header, BucketLayout.count(header));
    }

    // ---- changes ----

    /** Copies a bucket to memory with another number of slots, with or without ends; returns the header of the copy. */
    static long copy(Memory memory, long source, long header, long target, int slots, int size) {
        assert size == 0 || size == BucketLayout.size(header) || BucketLayout.count(header) == 0 : size;
        final int count = BucketLayout.count(header);
        final long copied = BucketLayout.header(BucketLayout.level(header), count, slots, size);
        memory.putFieldLong(target, copied);
        if (count > 0) {
            memory.copy(source + BucketLayout.HEADER_BYTES, target + BucketLayout.HEADER_BYTES, count);
            for (int i = 0; size == 0 && i < count; i++) {
                memory.putFieldShort(target + BucketLayout.endAt(copied, i), (short) end(memory, source, header, i));
            }
            memory.copy(source + BucketLayout.entriesAt(header), target + BucketLayout.entriesAt(copied),
                entriesBytes(memory, source, header));
        }
        return copied;
    }

    /** Appends an entry. There must be room, and the bucket must have ends if the entry needs one. */
    static void append(Memory memory, long address, long header, int tag, byte[] entry, int length, int overflow) {
        final int count = BucketLayout.count(header);
        final int start = start(memory, address, header, count);
        memory.copyIn(entry, 0, address + BucketLayout.entriesAt(header) + start, length);
        memory.putFieldByte(address + BucketLayout.HEADER_BYTES + count, (byte) tag);
        setEnd(memory, address, header, count, start + length | overflow);
        memory.putFieldLong(address, BucketLayout.withCount(header, count + 1));
    }

    /** Replaces the content of an entry. There must be room, and the bucket must have ends if the entry needs one. */
    static void replace(Memory memory, long address, long header, int index, byte[] entry, int length, int overflow) {
        final int start = start(memory, address, header, index);
        final int end = end(memory, address, header, index) & BucketLayout.END_MASK;
        moveBehind(memory, address, header, index, end, start + length - end);
        memory.copyIn(entry, 0, address + BucketLayout.entriesAt(header) + start, length);
        setEnd(memory, address, header, index, start + length | overflow);
    }

    /** Removes an entry. */
    static void remove(Memory memory, long address, long header, int index) {
        final int count = BucketLayout.count(header);
        final int start = start(memory, address, header, index);
        final int end = end(memory, address, header, index) & BucketLayout.END_MASK;
        moveBehind(memory, address, header, index, end, start - end);
        final int behind = count - index - 1;
        if (behind > 0) {
            final long tag = address + BucketLayout.HEADER_BYTES + index;
            memory.copy(tag + 1, tag, behind);
            if (BucketLayout.size(header) == 0) {
                final long place = address + BucketLayout.endAt(header, index);
                memory.copy(place + BucketLayout.END_BYTES, place, (long) behind * BucketLayout.END_BYTES);
            }
        }
        memory.putFieldLong(address, BucketLayout.withCount(header, count - 1));
    }

    private static void setEnd(Memory memory, long address, long header, int index, int end) {
        if (BucketLayout.size(header) == 0) {
            memory.putFieldShort(address + BucketLayout.endAt(header, index), (short) end);
        } else {
            assert end == (index + 1) * BucketLayout.size(header) : end;
        }
    }

    /** Moves all entries behind one by a distance; {@code end} is the offset of that entry's end. */
    private static void moveBehind(Memory memory, long address, long header, int index, int end, int distance) {
        final int count = BucketLayout.count(header);
        final int bytes = start(memory, address, header, count) - end;
        if (distance == 0 || bytes == 0) {
            return;
        }
        final long from = address + BucketLayout.entriesAt(header) + end;
        memory.copy(from, from + distance, bytes);
        for (int i = index + 1; BucketLayout.size(header) == 0 && i < count; i++) {
            final long place = address + BucketLayout.endAt(header, i);
            memory.putFieldShort(place, (short) (memory.getFieldShort(place) + distance));
        }
    }
}
