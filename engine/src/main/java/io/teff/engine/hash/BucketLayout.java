package io.teff.engine.hash;

/**
 * How a bucket lies in its chunk. Pure functions, no memory access.
 * <pre>
 *  0       1       2         4         6          8          8 + s       8 + 3 s
 *  +-------+-------+---------+---------+----------+----------+-----------+---------------------------+-------+
 *  | level | zero  | count n | slots s | size     | tags (s) | ends (2s) | entries: key, value; ...  | room  |
 *  +-------+-------+---------+---------+----------+----------+-----------+---------------------------+-------+
 *
 *  size     of each entry, if all have the same and lie inside; then there are no ends. Else 0
 *  tag      the highest 8 bits of the hash
 *  end      15 bits: where the entry ends, from the first entry; 1 bit: the entry lies outside
 *  entry    key and value; outside: | hash (8) | CID of a chunk with key and value (8) |
 * </pre>
 * A bucket of level l and number b has the hashes of which the lowest l bits are b. There are eight slots more than
 * entries at most, and always a multiple of eight, so that tags are searched by the word.
 */
final class BucketLayout {
    /** Bytes in front of the tags. */
    static final int HEADER_BYTES = 8;
    /** Level of a bucket that was merged into another. */
    static final int GONE = 0xFF;
    /** Slots come in groups of so many. */
    static final int GROUP = Long.BYTES;
    /** Bytes of an end. */
    static final int END_BYTES = Short.BYTES;
    /** Bytes of an entry beside itself. */
    static final int SLOT_BYTES = 1 + END_BYTES;
    /** Set in the end of an entry that lies outside. */
    static final int OVERFLOW = 1 << 15;
    /** The rest of an end. */
    static final int END_MASK = OVERFLOW - 1;
    /** Bytes of all entries of a bucket. */
    static final int ENTRIES_BYTES_MAX = END_MASK;
    /** Longer entries lie outside. */
    static final int ENTRY_BYTES_MAX = 512;
    /** What stands for an entry outside. */
    static final int LINK_BYTES = 2 * Long.BYTES;
    /** Chunks of buckets have a multiple of so many bytes, so that not each new entry moves them. */
    static final int ROOM_STEP_BYTES = 64;
    /** Chunks of less than that have none. */
    private static final int ROOMLESS_BYTES = 128;

    private static final int LEVEL_MASK = 0xFF;
    private static final int COUNT_SHIFT = 16;
    private static final int SLOTS_SHIFT = 32;
    private static final int SIZE_SHIFT = 48;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int TAG_SHIFT = Long.SIZE - Byte.SIZE;

    private BucketLayout() {}

    /** The first eight bytes. */
    static long header(int level, int count, int slots, int size) {
        assert level >= 0 && level <= LEVEL_MASK && count >= 0 && count <= slots && slots <= SHORT_MASK : count;
        assert size >= 0 && size <= ENTRY_BYTES_MAX : size;
        return level | (long) count << COUNT_SHIFT | (long) slots << SLOTS_SHIFT | (long) size << SIZE_SHIFT;
    }

    /** The same bucket with another number of entries. */
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

    /** Size of each entry, or 0 if there are ends. */
    static int size(long header) {
        return (int) (header >>> SIZE_SHIFT) & SHORT_MASK;
    }

    static int tag(long hash) {
        return (int) (hash >>> TAG_SHIFT);
    }

    /** Where the end of an entry is, if there are ends. */
    static int endAt(long header, int index) {
        return HEADER_BYTES + slots(header) + index * END_BYTES;
    }

    /** Where the first entry is. */
    static int entriesAt(long header) {
        return entriesAt(slots(header), size(header));
    }

    /** Where an entry is, if all have the same size. */
    static int uniformAt(long header, int index) {
        return HEADER_BYTES + slots(header) + index * size(header);
    }

    private static int entriesAt(int slots, int size) {
        return HEADER_BYTES + slots * (size > 0 ? 1 : SLOT_BYTES);
    }

    /** The number of slots for so many entries. */
    static int slotsFor(int count) {
        return count + GROUP - 1 & -GROUP;
    }

    /** The length of the chunk for so many slots and bytes of entries. */
    static int lengthFor(int slots, int size, int entriesBytes) {
        int needed = entriesAt(slots, size) + entriesBytes;
        return needed <= ROOMLESS_BYTES ? needed : needed + ROOM_STEP_BYTES - 1 & -ROOM_STEP_BYTES;
    }

    /** Whether a bucket has the hashes of such a kind. */
    static boolean holds(int level, long bucket, long hash) {
        return level < Long.SIZE && (hash & (1L << level) - 1) == bucket;
    }
}
