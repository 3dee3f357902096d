package io.teff.engine.collect;

/**
 * A collection whose content is in chunks of a store. Thread-safe.
 *
 * <p>After the store is closed, all methods of the collection and of its views throw {@link
 * io.teff.engine.error.StoreClosedException}; after the collection is dropped, they throw {@link
 * IllegalStateException}. Exceptions are {@code comparator}, and {@code equals} and {@code hashCode} of queues and of
 * views of values, which compare identities. A view, stream or iterator made afterwards throws at its first use at the
 * latest. An iterator made before may still return elements that it has copied.
 */
public interface ChunkCollection {
    /**
     * Returns the number of entries or elements, which may exceed the range of an {@code int}.
     *
     * @return the number, exact if the collection does not change meanwhile
     */
    long longSize();

    /**
     * Returns the memory of the store that the collection uses: its chunks and their table entries.
     *
     * @return bytes, exact if the collection does not change meanwhile
     */
    long memoryBytes();

    /**
     * Checks all invariants of the collection, while its writers wait. Takes about one second per ten million entries.
     *
     * @throws io.teff.engine.error.StoreException of category FATAL, naming the first broken invariant
     */
    void audit();
}
