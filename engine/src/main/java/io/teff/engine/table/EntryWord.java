package io.teff.engine.table;

import io.teff.engine.memory.RegionLayout;

/**
 * One entry of the chunk table packed in a {@code long}. Pure functions, no memory access.
 * <pre>
 *  63   61 60        53 52         42 41                                       0
 *  +------+------------+-------------+------------------------------------------+
 *  | state| generation | length (11) |    address / 2 (42), or link when FREE   |
 *  +------+------------+-------------+------------------------------------------+
 *
 *  FREE       to PLAIN, READ_ONLY (create), RESERVED (reserve)
 *  RESERVED   to PLAIN, READ_ONLY (create there), FREE (give up)
 *  PLAIN      to SHARED (read lock, pin, waiter), EXCLUSIVE (write lock), READ_ONLY (seal), FREE (remove)
 *  SHARED     to PLAIN, EXCLUSIVE, READ_ONLY_SHARED, FREE
 *  EXCLUSIVE  to PLAIN, SHARED, READ_ONLY_SHARED, FREE
 *  READ_ONLY  to READ_ONLY_SHARED (read lock, pin) and back, FREE
 *  any remove of the last generation: RETIRED instead of FREE, permanently
 * </pre>
 * The word 0 is FREE with generation 0, so a zeroed page is a page of fresh entries. The top bit means "readable now":
 * a reader tests only sign and generation.
 */
public final class EntryWord {
    /** No chunk. The generation is that of the next CID; the low bits link to the next free slot of the page. */
    public static final int FREE = 0;
    /** The CID is issued, but there is no memory. */
    public static final int RESERVED = 1;
    /** All generations are used up. */
    public static final int RETIRED = 2;
    /** A chunk with an exclusive holder. */
    public static final int EXCLUSIVE = 3;
    /** A chunk without holders. */
    public static final int PLAIN = 4;
    /** A chunk with a lock record: readers, pins or waiters. */
    public static final int SHARED = 5;
    /** A chunk that never changes again, without a lock record. */
    public static final int READ_ONLY = 6;
    /** A chunk that never changes again, with a lock record: readers or pins. */
    public static final int READ_ONLY_SHARED = 7;

    /** Marks a length that is stored in front of the payload, because it does not fit into the entry. */
    public static final int LENGTH_IN_FRONT = (1 << 11) - 1;
    /** The largest length stored in an entry. */
    public static final int LENGTH_EMBEDDED_MAX = LENGTH_IN_FRONT - 1;

    private static final int ADDRESS_SHIFT = 1;
    private static final int ADDRESS_BITS = RegionLayout.ADDRESS_BITS - ADDRESS_SHIFT;
    private static final int LENGTH_SHIFT = ADDRESS_BITS;
    private static final int LENGTH_BITS = 11;
    private static final int GENERATION_SHIFT = LENGTH_SHIFT + LENGTH_BITS;
    private static final int STATE_SHIFT = GENERATION_SHIFT + CidLayout.GENERATION_BITS;
    private static final int STATE_BITS = 3;
    private static final long ADDRESS_MASK = (1L << ADDRESS_BITS) - 1;
    private static final int GENERATION_MASK = CidLayout.GENERATIONS - 1;

    /** Legal transitions by state: one bit for each state that may follow. */
    private static final int[] MOVES = {
        bits(PLAIN, READ_ONLY, RESERVED),
        bits(PLAIN, READ_ONLY, FREE, RETIRED),
        bits(),
        bits(PLAIN, SHARED, READ_ONLY_SHARED, FREE, RETIRED),
        bits(SHARED, EXCLUSIVE, READ_ONLY, FREE, RETIRED),
        bits(PLAIN, EXCLUSIVE, READ_ONLY_SHARED, FREE, RETIRED),
        bits(READ_ONLY_SHARED, FREE, RETIRED),
        bits(READ_ONLY, FREE, RETIRED),
    };

    static {
        assert STATE_SHIFT + STATE_BITS == Long.SIZE : "fields must tile the word";
        assert 1 << LENGTH_BITS == LENGTH_IN_FRONT + 1 : "the largest length means: in front";
    }

    private EntryWord() {}

    private static int bits(int... states) {
        int bits = 0;
        for (int state : states) {
            bits |= 1 << state;
        }
        return bits;
    }

    /**
     * Returns whether a state transition is legal.
     *
     * @param from the current state
     * @param target the next state
     * @return whether {@code target} may follow {@code from}
     */
    public static boolean moves(int from, int target) {
        return (MOVES[from] & 1 << target) != 0;
    }

    /**
     * Returns the entry of a chunk.
     *
     * @param state {@link #EXCLUSIVE} to {@link #READ_ONLY_SHARED}
     * @param generation 0 to 255
     * @param length 0 to {@link #LENGTH_IN_FRONT}
     * @param address even; 0 for a chunk without memory
     * @return the entry word
     */
    public static long chunk(int state, int generation, int length, long address) {
        assert state >= EXCLUSIVE : state;
        assert generation >= 0 && generation <= GENERATION_MASK : generation;
        assert length >= 0 && length <= LENGTH_IN_FRONT : length;
        assert (address & 1) == 0 && address >>> RegionLayout.ADDRESS_BITS == 0 : address;
        return (long) state << STATE_SHIFT | (long) generation << GENERATION_SHIFT | (long) length << LENGTH_SHIFT
            | address >>> ADDRESS_SHIFT;
    }

    /**
     * Returns a free entry.
     *
     * @param generation generation of the next CID
     * @param link slot of the next free entry in the page plus 1, or 0
     * @return the entry word
     */
    public static long free(int generation, int link) {
        assert generation >= 0 && generation <= GENERATION_MASK : generation;
        return (long) generation << GENERATION_SHIFT | link;
    }

    /**
     * Returns a reserved entry.
     *
     * @param generation generation of the reserved CID
     * @return the entry word
     */
    public static long reserved(int generation) {
        return (long) RESERVED << STATE_SHIFT | (long) generation << GENERATION_SHIFT;
    }

    /**
     * Returns a retired entry.
     *
     * @return the entry word
     */
    public static long retired() {
        return (long) RETIRED << STATE_SHIFT;
    }

    /**
     * Returns the entry of a chunk after a state transition.
     *
     * @param word entry of a chunk
     * @param state the new state
     * @return the entry word
     */
    public static long withState(long word, int state) {
        assert moves(state(word), state) : state(word) + " to " + state;
        return word & -1L >>> STATE_BITS | (long) state << STATE_SHIFT;
    }

    /**
     * Returns the entry of a chunk with other memory.
     *
     * @param word entry of a chunk
     * @param length 0 to {@link #LENGTH_IN_FRONT}
     * @param address even; 0 for a chunk without memory
     * @return the entry word
     */
    public static long withMemory(long word, int length, long address) {
        return chunk(state(word), generation(word), length, address);
    }

    /**
     * Returns the state of an entry.
     *
     * @param word any entry
     * @return {@link #FREE} to {@link #READ_ONLY_SHARED}
     */
    public static int state(long word) {
        return (int) (word >>> STATE_SHIFT);
    }

    /**
     * Returns the generation of an entry.
     *
     * @param word any entry
     * @return 0 to 255
     */
    public static int generation(long word) {
        return (int) (word >>> GENERATION_SHIFT) & GENERATION_MASK;
    }

    /**
     * Returns the length of a chunk if it is stored in the entry.
     *
     * @param word entry of a chunk
     * @return the length, or {@link #LENGTH_IN_FRONT}
     */
    public static int length(long word) {
        return (int) (word >>> LENGTH_SHIFT) & LENGTH_IN_FRONT;
    }

    /**
     * Returns the address of a chunk's memory.
     *
     * @param word entry of a chunk
     * @return an even address, or 0
     */
    public static long address(long word) {
        return (word & ADDRESS_MASK) << ADDRESS_SHIFT;
    }

    /**
     * Returns the link of a free entry.
     *
     * @param word a free entry
     * @return slot of the next free entry in the page plus 1, or 0 at the end
     */
    public static int link(long word) {
        return (int) (word & ADDRESS_MASK);
    }

    /**
     * Returns whether the entry is a CID's chunk, held or not.
     *
     * @param word any entry
     * @param cid a CID of this entry's index
     * @return whether the chunk exists
     */
    public static boolean isChunk(long word, long cid) {
        return state(word) >= EXCLUSIVE && generation(word) == CidLayout.generation(cid);
    }

    /**
     * Returns whether the entry is a CID's chunk without an exclusive holder.
     *
     * @param word any entry
     * @param cid a CID of this entry's index
     * @return whether the chunk can be read now
     */
    public static boolean isReadable(long word, long cid) {
        return word < 0 && generation(word) == CidLayout.generation(cid);
    }

    /**
     * Returns whether the entry is a CID's chunk without an exclusive holder, if the CID may belong to another creator
     * than the table.
     *
     * @param word any entry of the table
     * @param cid any CID with this entry's index
     * @param creator {@link CidLayout#creator} of the table's creator
     * @return whether the CID belongs to the creator and the chunk can be read now
     */
    public static boolean isReadable(long word, long cid, long creator) {
        return word < 0 && (word >>> GENERATION_SHIFT & GENERATION_MASK | creator) == cid >>> CidLayout.INDEX_BITS;
    }

    /**
     * Returns whether the entry contains the chunk's length, so that the payload begins at the entry's address. Not so
     * for length 0, which has no memory, and for 2,047, which marks a length in front of the payload.
     *
     * @param word entry of a chunk
     * @return whether the length is 1 to {@link #LENGTH_EMBEDDED_MAX}
     */
    public static boolean isEmbedded(long word) {
        return (length(word) + 1 & LENGTH_IN_FRONT) > 1;
    }
}
