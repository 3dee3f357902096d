package io.teff.engine;

import java.util.Map;
import java.util.Optional;

/** Names of collections and of single chunks, which are stored with the chunks. Thread-safe. */
public interface NameOperations {
    /**
     * Gives a chunk a name.
     *
     * @param name any
     * @param cid the chunk
     * @throws IllegalArgumentException if there is no such chunk, or the name belongs to a collection
     */
    void bind(String name, long cid);

    /**
     * Returns the chunk or collection with a name.
     *
     * @param name any
     * @return its kind, CID and types, or empty
     */
    Optional<NamedRoot> get(String name);

    /** {@return all names with their chunks and collections, sorted by name} */
    Map<String, NamedRoot> all();

    /**
     * Removes a name. A chunk with that name stays; a collection is removed with its entries. Functions that run inside
     * a change of another collection may call this.
     *
     * @param name any
     * @return whether the name existed, and no other thread is removing it
     * @throws IllegalStateException if called by a function that runs inside a change of that collection
     */
    boolean drop(String name);
}
