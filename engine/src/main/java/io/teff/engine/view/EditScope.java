package io.teff.engine.view;

/** What to do with bytes to change. */
@FunctionalInterface
public interface EditScope {
    /**
     * Reads and writes.
     *
     * @param editor valid until this returns
     */
    void edit(ChunkEditor editor);
}
