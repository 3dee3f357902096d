package io.teff.engine.table;

/**
 * The parts of a CID. Pure functions.
 * <pre>
 *  63            48 47        40 39                            0
 *  +---------------+------------+------------------------------+
 *  |    NID (16)   | generation |          index (40)          |
 *  +---------------+------------+------------------------------+
 * </pre>
 */
public final class CidLayout {
    /** Bits of an index. */
    public static final int INDEX_BITS = 40;
    /** Bits of a generation. */
    public static final int GENERATION_BITS = 8;
    /** No CID: never issued. */
    public static final long NONE = 0;
    /** Position of the NID; the bits below it are the LID. */
    public static final int NID_SHIFT = INDEX_BITS + GENERATION_BITS;
    /** Number of generations of an index. */
    public static final int GENERATIONS = 1 << GENERATION_BITS;
    /** The largest index. */
    public static final long INDEX_MAX = (1L << INDEX_BITS) - 1;
    /** The largest LID. */
    public static final long LID_MAX = (1L << NID_SHIFT) - 1;
    /** The largest NID of a creator. A larger one would make status codes look like CIDs. */
    public static final int NID_MAX = 0xFFFE;

    static {
        assert NID_SHIFT + 16 == Long.SIZE : "fields must tile the CID";
    }

    private CidLayout() {}

    /**
     * Packs a CID.
     *
     * @param nid 0 to {@link #NID_MAX}
     * @param generation 0 to 255
     * @param index 0 to {@link #INDEX_MAX}
     * @return the CID
     */
    public static long pack(int nid, int generation, long index) {
        assert nid >= 0 && nid <= NID_MAX : nid;
        assert generation >= 0 && generation < GENERATIONS : generation;
        assert index >= 0 && index <= INDEX_MAX : index;
        return (long) nid << NID_SHIFT | (long) generation << INDEX_BITS | index;
    }

    /**
     * Returns the NID of a CID's creator.
     *
     * @param cid any CID
     * @return 0 to 65,535
     */
    public static int nid(long cid) {
        return (int) (cid >>> NID_SHIFT);
    }

    /**
     * Returns the part of a creator's CIDs above the index, for generation 0.
     *
     * @param nid 0 to {@link #NID_MAX}
     * @return the NID above eight zeros
     */
    public static long creator(int nid) {
        return (long) nid << GENERATION_BITS;
    }

    /**
     * Returns the generation of a CID.
     *
     * @param cid any CID
     * @return 0 to 255
     */
    public static int generation(long cid) {
        return (int) (cid >>> INDEX_BITS) & GENERATIONS - 1;
    }

    /**
     * Returns the index of a CID in its creator's table.
     *
     * @param cid any CID
     * @return 0 to {@link #INDEX_MAX}
     */
    public static long index(long cid) {
        return cid & INDEX_MAX;
    }

    /**
     * Formats a CID as {@code nid:index.generation}.
     *
     * @param cid any CID
     * @return for example {@code 1:4711.0}
     */
    public static String toString(long cid) {
        return nid(cid) + ":" + index(cid) + "." + generation(cid);
    }
}
