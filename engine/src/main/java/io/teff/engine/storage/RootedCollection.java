package io.teff.engine.storage;

import io.teff.engine.collect.ChunkCollection;

/** A collection that is found by its root: the view that the directory of names has of it. */
public interface RootedCollection extends ChunkCollection {
    /** {@return the CID of the collection's root} */
    long root();

    /** Removes the collection and all of its chunks. Later calls throw an {@link IllegalStateException}. */
    void drop();
}
