package io.teff.engine.view;

/** An operation that reads bytes in place. */
@FunctionalInterface
public interface ReadScope {
    /**
     * Reads the bytes.
     *
     * @param view valid until this returns
     */
    void read(ChunkView view);
}
