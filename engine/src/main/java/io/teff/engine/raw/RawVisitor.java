package io.teff.engine.raw;

/** Takes the entries of a scan of a {@link RawMap}. */
public interface RawVisitor {
    /**
     * Takes an entry, or refuses it because there is no room: then the next scan begins with this entry.
     *
     * @param bytes has the entry, until this method returns
     * @param keyFrom index of the first byte of the key
     * @param keyLength length of the key
     * @param valueFrom index of the first byte of the value
     * @param valueLength length of the value
     * @return whether the entry was taken
     */
    boolean entry(byte[] bytes, int keyFrom, int keyLength, int valueFrom, int valueLength);

    /**
     * Names a chunk with entries that were read.
     *
     * @param cid the chunk
     */
    void read(long cid);
}
