package io.teff.engine.view;

/** What to do with bytes to read. */
@FunctionalInterface
public interface ReadScope {
    /**
     * Reads.
     *
     * @param view valid until this returns
     */
    void read(ChunkView view);
}
