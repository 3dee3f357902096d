package io.teff.engine;

import io.teff.engine.table.CidLayout;

/**
 * The parts of a chunk id. A CID is a plain {@code long}: 16 bits NID of the creator, 48 bits local id (LID), of which
 * the top 8 are a generation. {@link #NONE} is no chunk's id.
 */
public final class Cid {
    /** No CID: never issued. */
    public static final long NONE = 0;
    /** The largest NID. */
    public static final int NID_MAX = CidLayout.NID_MAX;

    private Cid() {}

    /**
     * Puts a CID together.
     *
     * @param nid creator's node id, 0 to {@link #NID_MAX}
     * @param lid local id, 0 to 2^48 - 1
     * @return the CID
     */
    public static long of(int nid, long lid) {
        if (nid < 0 || nid > NID_MAX || lid < 0 || lid > CidLayout.LID_MAX) {
            throw new IllegalArgumentException("nid=" + nid + " or lid=" + lid + " is out of range");
        }
        return (long) nid << CidLayout.NID_SHIFT | lid;
    }

    /**
     * The creator's node id.
     *
     * @param cid any CID
     * @return 0 to {@link #NID_MAX}
     */
    public static int nid(long cid) {
        return CidLayout.nid(cid);
    }

    /**
     * The local id.
     *
     * @param cid any CID
     * @return 0 to 2^48 - 1
     */
    public static long lid(long cid) {
        return cid & CidLayout.LID_MAX;
    }

    /**
     * The generation: how often the index was used before.
     *
     * @param cid any CID
     * @return 0 to 255
     */
    public static int generation(long cid) {
        return CidLayout.generation(cid);
    }

    /**
     * The index in the creator's table: what consecutive CIDs count up.
     *
     * @param cid any CID
     * @return 0 to 2^40 - 1
     */
    public static long index(long cid) {
        return CidLayout.index(cid);
    }

    /**
     * A CID for people: {@code nid:index.generation}.
     *
     * @param cid any CID
     * @return for example {@code 1:4711.0}
     */
    public static String toString(long cid) {
        return CidLayout.toString(cid);
    }
}
