package io.teff.engine;

/**
 * A range of consecutive CIDs of one creator and generation.
 *
 * @param first the first CID
 * @param last the last CID, inclusive
 */
public record CidRange(long first, long last) {
    /**
     * Checks that both ends have the same creator and generation.
     *
     * @throws IllegalArgumentException if they do not, or {@code last} is below {@code first}
     */
    public CidRange {
        if (first >>> 40 != last >>> 40 || Cid.index(first) > Cid.index(last)) {
            throw new IllegalArgumentException("first=" + Cid.toString(first) + " last=" + Cid.toString(last)
                + " is not a range");
        }
    }

    /** {@return the number of CIDs, at least 1} */
    public long count() {
        return last - first + 1;
    }
}
