package io.teff.engine.lock;

/** The seam between locks and the chunk table: entry words by CID. Used inside of the chunk's stripe only. */
public interface EntryWords {
    /**
     * Reads an entry.
     *
     * @param cid any CID
     * @return its entry word, 0 if there is none
     */
    long read(long cid);

    /**
     * Writes an entry.
     *
     * @param cid a CID that has an entry
     * @param word the new word
     */
    void write(long cid, long word);
}
