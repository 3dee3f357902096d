package io.teff.engine.tree;

import io.teff.engine.collect.ChunkSortedMap;

/**
 * Layout of a tree node in its chunk. Pure functions, no memory access.
 * <pre>
 *  0       1       2         4         6         8           16          28           40        40 + 12 n
 *  +-------+-------+---------+---------+---------+-----------+-----------+------------+---------+--------+-----------+
 *  | level | flags | count n | taken t | waste w | right (8) | low bound | high bound | slots   | room   | entries   |
 *  +-------+-------+---------+---------+---------+-----------+-----------+------------+---------+--------+-----------+
 *
 *  level    0 for a leaf, else one more than the level of the children
 *  flags    1: first node of its level, no low bound; 2: last node, no high bound and no right neighbour
 *  taken    bytes of entries at the end of the chunk; waste: those of them that belong to no entry any more
 *  right    CID of the right neighbour, whose low bound is this node's high bound
 *
 *  slot (bounds too)   0          8             10           12
 *                      +----------+-------------+------------+
 *                      | head (8) | offset (2)  | size (2)   |
 *                      +----------+-------------+------------+
 *  head     first eight bytes of the key, which distinguish almost all keys. Compared as a signed number
 *  offset   where the entry begins, backwards from the end of the chunk
 *  size     15 bits: bytes of the entry; highest bit: the value lies in an overflow chunk
 *  entry    length of the key (2) and its bytes from the 9th on, unless keys are heads without further bytes; then the
 *           value, or the CID of the overflow chunk or of the child
 * </pre>
 * Slots are moved to keep the order, entries are not: a new entry is placed in front of the others. A key lies in a
 * node if it is at least the low bound and below the high bound. The first key of an inner node is its low bound.
 */
final class NodeLayout {
    /** Offset of the right neighbour. */
    static final int RIGHT_AT = 8;
    /** Size of the header in front of the slots. */
    static final int SLOTS_AT = 16;
    /** Size of a slot. */
    static final int SLOT_BYTES = 12;
    /** Offset of offset and size in a slot. */
    static final int SPAN_AT = 8;
    /** Slot of the low bound. */
    static final int LOW = 0;
    /** Slot of the high bound. */
    static final int HIGH = 1;
    /** Number of slots in front of the first entry's slot. */
    static final int BOUNDS = 2;
    /** Size of a node without entries. */
    static final int NODE_BYTES_MIN = SLOTS_AT + BOUNDS * SLOT_BYTES;
    /** Largest size of a node that can be split (one with two entries); so offsets fit into their fields. */
    static final int NODE_BYTES_MAX = 4088;
    /** A node below {@link #NODE_BYTES_MAX} with fewer entries is not split, so that long keys do not grow a tree. */
    static final int SPLIT_ENTRIES_MIN = 8;
    /** Longer values get an overflow chunk. */
    static final int VALUE_BYTES_MAX = 512;
    /** Longer keys are refused. */
    static final int KEY_BYTES_MAX = ChunkSortedMap.KEY_BYTES_MAX;
    /** Size of a head. */
    static final int HEAD_BYTES = Long.BYTES;
    /** Size of a key's length. */
    static final int LENGTH_BYTES = Short.BYTES;
    /** Size of the link to an overflow chunk or a child. */
    static final int LINK_BYTES = Long.BYTES;
    /** Flag of the first node of a level. */
    static final int FIRST = 1;
    /** Flag of the last node of a level. */
    static final int LAST = 2;
    /** Highest level of a node. */
    static final int LEVEL_MAX = 0xFF;
    /** CID of no node. */
    static final long NONE = 0;

    private static final int BYTE_MASK = 0xFF;
    private static final int FLAGS_SHIFT = 8;
    private static final int COUNT_SHIFT = 16;
    private static final int TAKEN_SHIFT = 32;
    private static final int WASTE_SHIFT = 48;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int SIZE_SHIFT = 16;
    private static final int SIZE_MASK = 0x7FFF;
    private static final int ROOM_STEP_BYTES = 256;
    private static final int SMALL_STEP_BYTES = 64;
    /** Size of the length that long chunks have in front. */
    private static final int FRONT_BYTES = Long.BYTES;

    static {
        assert SPAN_AT + Integer.BYTES == SLOT_BYTES && RIGHT_AT + Long.BYTES == SLOTS_AT : "fields must tile the node";
        assert NODE_BYTES_MAX + 2 * (KEY_BYTES_MAX + VALUE_BYTES_MAX) + SLOT_BYTES <= SIZE_MASK
            : "a node that is about to be split must have offsets";
    }

    private NodeLayout() {}

    /** Returns the first eight bytes of a node. */
    static long header(int level, int flags, int count, int taken, int waste) {
        assert level >= 0 && level <= LEVEL_MAX && count >= 0 && taken >= waste && waste >= 0 : waste;
        assert count <= SHORT_MASK && taken <= SHORT_MASK : taken;
        return level | (long) flags << FLAGS_SHIFT | (long) count << COUNT_SHIFT | (long) taken << TAKEN_SHIFT
            | (long) waste << WASTE_SHIFT;
    }

    /** Returns the header after a change of the node's entries. */
    static long changed(long header, int count, int taken, int waste) {
        return header(level(header), flags(header), count, taken, waste);
    }

    static int level(long header) {
        return (int) header & BYTE_MASK;
    }

    static int flags(long header) {
        return (int) header >>> FLAGS_SHIFT & BYTE_MASK;
    }

    static boolean isFirst(long header) {
        return (flags(header) & FIRST) != 0;
    }

    static boolean isLast(long header) {
        return (flags(header) & LAST) != 0;
    }

    static int count(long header) {
        return (int) (header >>> COUNT_SHIFT) & SHORT_MASK;
    }

    static int taken(long header) {
        return (int) (header >>> TAKEN_SHIFT) & SHORT_MASK;
    }

    static int waste(long header) {
        return (int) (header >>> WASTE_SHIFT) & SHORT_MASK;
    }

    /**
     * Returns the offset and size of a slot. An entry without bytes has no offset, so that no other entry's end moves
     * it.
     */
    static int span(int offset, int size, boolean overflow) {
        assert offset >= 0 && offset <= SHORT_MASK && size >= 0 && size <= Math.min(offset, SIZE_MASK) : size;
        return size == 0 ? 0 : offset | (overflow ? size | SIZE_MASK + 1 : size) << SIZE_SHIFT;
    }

    static int offset(int span) {
        return span & SHORT_MASK;
    }

    static int size(int span) {
        return span >>> SIZE_SHIFT & SIZE_MASK;
    }

    static boolean isOverflow(int span) {
        return span < 0;
    }

    /** Returns the offset of a slot. */
    static int slotAt(int slot) {
        return SLOTS_AT + slot * SLOT_BYTES;
    }

    /** Returns the end of the slots of a node with a number of entries. */
    static int slotsEnd(int count) {
        return slotAt(count + BOUNDS);
    }

    /** Returns the bytes of a node without room. */
    static int used(long header) {
        return slotsEnd(count(header)) + taken(header);
    }

    /** Returns the bytes of a node without room and waste. */
    static int needed(long header) {
        return used(header) - waste(header);
    }

    /** Returns the bytes that a key takes in an entry. */
    static int partBytes(int keyLength) {
        return LENGTH_BYTES + Math.max(keyLength - HEAD_BYTES, 0);
    }

    /** Two neighbours are joined if the union is not longer than this. */
    static int joinedBytesMax(int nodeBytesMax) {
        return nodeBytesMax / 4 * 3;
    }

    /** A node with fewer bytes in use is sparse: it is joined with a neighbour if possible. */
    static int sparseBytes(int nodeBytesMax) {
        return nodeBytesMax / 4;
    }

    /**
     * Returns the chunk length for a node, with room so that not every new entry moves the node.
     *
     * @param nodeBytesMax the length up to which nodes grow
     */
    static int lengthFor(int needed, int nodeBytesMax) {
        int step = needed <= ROOM_STEP_BYTES ? SMALL_STEP_BYTES : ROOM_STEP_BYTES;
        int rounded = (needed + FRONT_BYTES + step - 1 & -step) - FRONT_BYTES;
        return rounded > nodeBytesMax ? Math.max(needed, nodeBytesMax) : rounded;
    }
}
