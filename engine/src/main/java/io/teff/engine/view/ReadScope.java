package io.teff.engine.view;

/** An operation that reads bytes in place. */
@FunctionalInterface
public interface ReadScope {
    /**
     * Reads the bytes.
     *
     * @param view view of the bytes, valid until this method returns
     */
    void read(ChunkView view);
}
