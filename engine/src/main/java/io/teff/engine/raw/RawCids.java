package io.teff.engine.raw;

/** The CIDs of a zone in parts, for the owner of a zone in a cluster. Thread-safe. */
public interface RawCids {
    /**
     * Returns the CIDs of a zone.
     *
     * @param view view of a zone of a store in this process
     * @return its CIDs
     * @throws IllegalArgumentException if the store is of another kind
     */
    static RawCids of(Object view) {
        if (view instanceof RawCids cids) {
            return cids;
        }
        throw new IllegalArgumentException("view=" + view + " is no view of a zone");
    }

    /**
     * Reads CIDs of chunks in the order of their indexes; weakly consistent, like {@link io.teff.engine.CidCursor}.
     *
     * @param first index to begin with
     * @param target receives the CIDs
     * @return number of CIDs; fewer than there is room for at the end of the zone
     */
    int cids(long first, long[] target);
}
