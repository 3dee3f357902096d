package io.teff.engine.collect;

/** What all collections in chunks have in common. Thread-safe. */
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
