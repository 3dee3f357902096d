package io.teff.recovery.format;

import io.teff.engine.Cid;

/**
 * An entry that keeps the number of a record of a copy: a removal of the creator's last index, which no chunk of a
 * cluster has. A record has one if none of its other entries has its number: all are removals made before, or there are
 * none. So the highest number in the entries of a copy is that of its last record, also after cleaning. Stateless.
 */
public final class NumberMark {
    private static final long INDEX = (1L << 40) - 1;

    private NumberMark() {}

    /**
     * Returns the CID of the mark.
     *
     * @param creator of the copy
     * @return the CID
     */
    public static long cid(int creator) {
        return Cid.of(creator, INDEX);
    }

    /** {@return whether an entry with this CID is a mark} */
    public static boolean is(long cid) {
        return Cid.index(cid) == INDEX;
    }
}
