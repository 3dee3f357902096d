package io.teff.engine.lock;

/** The interface of the locks to the chunk table: entry words by CID. Used only inside the chunk's stripe. */
public interface EntryWords {
    /**
     * Reads an entry, for an operation that has begun: the chunk is found even if its zone was dropped meanwhile.
     *
     * @param cid any CID
     * @return its entry word; 0 if there is no entry
     */
    long read(long cid);

    /**
     * Reads an entry, for an operation that begins.
     *
     * @param cid any CID
     * @return its entry word; 0 if there is no entry
     */
    default long find(long cid) {
        return read(cid);
    }

    /**
     * Writes an entry.
     *
     * @param cid a CID that has an entry
     * @param word the new word
     */
    void write(long cid, long word);
}
