package io.teff.engine.collect;

/**
 * What all collections in chunks have in common. Thread-safe.
 *
 * <p>After the store is closed all methods throw {@link io.teff.engine.error.StoreClosedException}, after the
 * collection was dropped {@link IllegalStateException}: its own and those of its views. A view, a stream or an iterator
 * that is made then throws at its first use at the latest; an iterator that was made before may still show what it has
 * copied.
 */
public interface ChunkCollection {
    /**
     * The number of entries or elements, which may be more than an {@code int} has room for.
     *
     * @return exact if nothing changes meanwhile
     */
    long longSize();

    /**
     * What the collection takes of its store: chunks and their table entries.
     *
     * @return bytes, exact if nothing changes meanwhile
     */
    long memoryBytes();

    /**
     * Recomputes every invariant, while changes of the collection wait. Takes about a second per ten million entries.
     *
     * @throws io.teff.engine.error.StoreException of category FATAL naming the first thing that is wrong
     */
    void audit();
}
