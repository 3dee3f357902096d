package io.teff.recovery.format;

import io.teff.engine.Cid;

/**
 * An entry that keeps the number of a record of a copy: a removal of the creator's last index. No chunk of a cluster
 * has this index. A record has a mark if no other entry has the record's number: all entries are removals made before,
 * or the record has no entry. So the highest number in the entries of a copy is the number of the last record, also
 * after cleaning. Stateless.
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
