package io.teff.engine.hash;

/**
 * Layout of a bucket in its chunk. Pure functions, no memory access.
 * <pre>
 *  0       1       2         4         6          8          8 + s       8 + 3 s
 *  +-------+-------+---------+---------+----------+----------+-----------+---------------------------+-------+
 *  | level | zero  | count n | slots s | size     | tags (s) | ends (2s) | entries: key, value; ...  | room  |
 *  +-------+-------+---------+---------+----------+----------+-----------+---------------------------+-------+
 *
 *  size     of each entry, if all entries have one size and none is an overflow entry; then there are no ends. Else 0
 *  tag      the highest 8 bits of the hash
 *  end      15 bits: offset of the entry's end from the first entry; highest bit: overflow entry
 *  entry    key and value; overflow entry: | hash (8) | CID of a chunk with key and value (8) |
 * </pre>
 * A bucket of level l and number b holds the hashes whose lowest l bits are b. The number of slots is a multiple of
 * eight, so that tags are searched by the word, and exceeds the number of entries by at most eight.
 */
final class BucketLayout {
    /** Bytes in front of the tags. */
    static final int HEADER_BYTES = 8;
    /** Level of a bucket that was merged into another. */
    static final int GONE = 0xFF;
    /** The number of slots is a multiple of this. */
    static final int GROUP = Long.BYTES;
    /** Size of an end in bytes. */
    static final int END_BYTES = Short.BYTES;
    /** Bytes per entry besides the entry itself: tag and end. */
    static final int SLOT_BYTES = 1 + END_BYTES;
    /** Set in the end of an overflow entry. */
    static final int OVERFLOW = 1 << 15;
    /** The offset in an end. */
    static final int END_MASK = OVERFLOW - 1;
    /** Largest total size of a bucket's entries in bytes. */
    static final int ENTRIES_BYTES_MAX = END_MASK;
    /** Longer entries become overflow entries. */
    static final int ENTRY_BYTES_MAX = 512;
    /** Size of the link of an overflow entry in bytes. */
    static final int LINK_BYTES = 2 * Long.BYTES;
    /**
     * The length of a bucket's chunk is rounded up to a multiple of this, so that not every new entry moves the
     * bucket.
     */
    static final int ROOM_STEP_BYTES = 64;
    /** Shorter chunks are not rounded up. */
    private static final int ROOMLESS_BYTES = 128;
    /** A bucket that grows or is split gets room for this share of its entries more: an eighth, as a shift. */
    private static final int ROOM_SHIFT = 3;
    /** A bucket that needs this share less than its chunk has, a quarter, moves to a smaller one; as a shift. */
    private static final int SPARSE_SHIFT = 2;

    private static final int LEVEL_MASK = 0xFF;
    private static final int COUNT_SHIFT = 16;
    private static final int SLOTS_SHIFT = 32;
    private static final int SIZE_SHIFT = 48;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int TAG_SHIFT = Long.SIZE - Byte.SIZE;

    private BucketLayout() {}

    /** Returns the first eight bytes of a bucket. */
    static long header(int level, int count, int slots, int size) {
        assert level >= 0 && level <= LEVEL_MASK && count >= 0 && count <= slots && slots <= SHORT_MASK : count;
        assert size >= 0 && size <= ENTRY_BYTES_MAX : size;
        return level | (long) count << COUNT_SHIFT | (long) slots << SLOTS_SHIFT | (long) size << SIZE_SHIFT;
    }

    /** Returns the header with another number of entries. */
    static long withCount(long header, int count) {
        return header(level(header), count, slots(header), size(header));
    }

    static int level(long header) {
        return (int) header & LEVEL_MASK;
    }

    static int count(long header) {
        return (int) (header >>> COUNT_SHIFT) & SHORT_MASK;
    }

    static int slots(long header) {
        return (int) (header >>> SLOTS_SHIFT) & SHORT_MASK;
    }

    /** Returns the size of each entry, or 0 if the bucket has ends. */
    static int size(long header) {
        return (int) (header >>> SIZE_SHIFT) & SHORT_MASK;
    }

    static int tag(long hash) {
        return (int) (hash >>> TAG_SHIFT);
    }

    /** Returns the offset of an entry's end field, if the bucket has ends. */
    static int endAt(long header, int index) {
        return HEADER_BYTES + slots(header) + index * END_BYTES;
    }

    /** Returns the offset of the first entry. */
    static int entriesAt(long header) {
        return entriesAt(slots(header), size(header));
    }

    /** Returns the offset of an entry, if all entries have one size. */
    static int uniformAt(long header, int index) {
        return HEADER_BYTES + slots(header) + index * size(header);
    }

    private static int entriesAt(int slots, int size) {
        return HEADER_BYTES + slots * (size > 0 ? 1 : SLOT_BYTES);
    }

    /**
     * Returns the number of slots for a number of entries. Returns the chunk length for a number of slots and a total
     * size of entries.
     */
    static int slotsFor(int count) {
        return count + GROUP - 1 & -GROUP;
    }

    /**
     * Returns a number of entries, or of their bytes, with room for more, so that half of the new entries or more move
     * nothing but themselves.
     */
    static int withRoom(int amount) {
        return amount + (amount >> ROOM_SHIFT);
    }

    /**
     * Returns whether a bucket moves to a smaller chunk of {@code wanted} bytes. A bucket that has just grown does not
     * move when it loses a few entries.
     */
    static boolean isSparse(long length, int wanted) {
        return wanted <= length - (length >> SPARSE_SHIFT);
    }

    /** Returns the length of a chunk with a number of slots and of bytes of entries. */
    static int lengthFor(int slots, int size, int entriesBytes) {
        int needed = entriesAt(slots, size) + entriesBytes;
        return needed <= ROOMLESS_BYTES ? needed : needed + ROOM_STEP_BYTES - 1 & -ROOM_STEP_BYTES;
    }

    /** Returns whether a bucket holds a hash. */
    static boolean holds(int level, long bucket, long hash) {
        return level < Long.SIZE && (hash & (1L << level) - 1) == bucket;
    }
}
