package io.teff.engine;

import java.util.Map;
import java.util.Optional;

/** Names of collections and of single chunks. The names are stored in chunks of the same store. Thread-safe. */
public interface NameOperations {
    /**
     * Binds a name to a chunk. If the name is bound to another chunk, this call replaces the binding.
     *
     * @param name name of the chunk
     * @param cid the chunk
     * @throws IllegalArgumentException if there is no such chunk, or the name belongs to a collection
     * @throws io.teff.engine.error.StoreException of category DEGRADED if the memory limit is reached
     */
    void bind(String name, long cid);

    /**
     * Returns the chunk or collection with a name.
     *
     * @param name name of the chunk or collection
     * @return kind, CID and types of the chunk or collection, or empty if the name is not bound
     */
    Optional<NamedRoot> get(String name);

    /** {@return all names with their chunks and collections, sorted by name; an unmodifiable copy} */
    Map<String, NamedRoot> all();

    /**
     * Removes a name. A chunk with that name stays; a collection is removed with its entries. Functions that run inside
     * a change of another collection may call this.
     *
     * @param name name of the chunk or collection
     * @return true if this call removed the name; false if the name was not bound, or another thread is removing the
     *     name
     * @throws IllegalStateException if called by a function that runs inside a change of that collection, or while the
     *     collection is being migrated
     */
    boolean drop(String name);
}
