package io.teff.engine;

import io.teff.engine.table.CidLayout;

/**
 * Functions on chunk ids. A CID is a plain {@code long}: the upper 16 bits are the NID of the creator, the lower 48
 * bits the local id (LID). The upper 8 bits of the LID are a generation, the lower 40 bits an index. {@link #NONE} is
 * never the id of a chunk. Thread-safe.
 */
public final class Cid {
    /** The value that stands for no CID; never issued. */
    public static final long NONE = 0;
    /** The largest NID. */
    public static final int NID_MAX = CidLayout.NID_MAX;

    private Cid() {}

    /**
     * Returns the CID of a node id and a local id.
     *
     * @param nid creator's node id, 0 to {@link #NID_MAX}
     * @param lid local id, 0 to 2^48 - 1
     * @return the CID
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static long of(int nid, long lid) {
        if (nid < 0 || nid > NID_MAX || lid < 0 || lid > CidLayout.LID_MAX) {
            throw new IllegalArgumentException("nid=" + nid + " is not in 0 to " + NID_MAX + ", or lid=" + lid
                + " is not in 0 to " + CidLayout.LID_MAX);
        }
        return (long) nid << CidLayout.NID_SHIFT | lid;
    }

    /**
     * Returns the creator's node id.
     *
     * @param cid any CID
     * @return 0 to {@link #NID_MAX}
     */
    public static int nid(long cid) {
        return CidLayout.nid(cid);
    }

    /**
     * Returns the local id.
     *
     * @param cid any CID
     * @return 0 to 2^48 - 1
     */
    public static long lid(long cid) {
        return cid & CidLayout.LID_MAX;
    }

    /**
     * Returns the generation: the number of earlier uses of the index.
     *
     * @param cid any CID
     * @return 0 to 255
     */
    public static int generation(long cid) {
        return CidLayout.generation(cid);
    }

    /**
     * Returns the index in the creator's table. Consecutive CIDs have consecutive indexes.
     *
     * @param cid any CID
     * @return 0 to 2^40 - 1
     */
    public static long index(long cid) {
        return CidLayout.index(cid);
    }

    /**
     * Returns a CID as readable text: {@code nid:index.generation}.
     *
     * @param cid any CID
     * @return the text, for example {@code 1:4711.0}
     */
    public static String toString(long cid) {
        return CidLayout.toString(cid);
    }
}
