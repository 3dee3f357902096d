package io.teff.engine;

/**
 * CIDs of one creator and generation that follow each other.
 *
 * @param first the first CID
 * @param last the last CID, inclusive
 */
public record CidRange(long first, long last) {
    /** Checks that the ends belong together. */
    public CidRange {
        if (first >>> 40 != last >>> 40 || Cid.index(first) > Cid.index(last)) {
            throw new IllegalArgumentException("first=" + Cid.toString(first) + " last=" + Cid.toString(last)
                + " is no range");
        }
    }

    /** {@return how many CIDs} */
    public long count() {
        return last - first + 1;
    }
}
