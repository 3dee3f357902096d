package io.teff.engine.storage;

import io.teff.engine.collect.ChunkCollection;

/** A collection as the directory of names knows it. */
public interface RootedCollection extends ChunkCollection {
    /** {@return the CID of the collection's root} */
    long root();

    /** Removes the collection and all of its chunks; whatever is called afterwards throws. */
    void drop();
}
