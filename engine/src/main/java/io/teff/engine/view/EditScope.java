package io.teff.engine.view;

/** An operation that reads and writes bytes in place. */
@FunctionalInterface
public interface EditScope {
    /**
     * Reads and writes the bytes.
     *
     * @param editor view of the bytes, valid until this method returns
     */
    void edit(ChunkEditor editor);
}
