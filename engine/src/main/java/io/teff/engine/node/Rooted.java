package io.teff.engine.node;

import io.teff.engine.collect.ChunkCollection;

/** A collection as the directory of names knows it. */
public interface Rooted extends ChunkCollection {
    /** {@return the CID of the collection's root} */
    long root();

    /** Removes the collection and all of its chunks; whatever is called afterwards throws. */
    void drop();
}
