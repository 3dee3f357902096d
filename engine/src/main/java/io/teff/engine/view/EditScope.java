package io.teff.engine.view;

/** An operation that reads and writes bytes in place. */
@FunctionalInterface
public interface EditScope {
    /**
     * Reads and writes the bytes.
     *
     * @param editor valid until this returns
     */
    void edit(ChunkEditor editor);
}
