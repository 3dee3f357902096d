package io.teff.engine;

/**
 * Opens stores of one kind; a service loader finds the implementations. Applications call {@link ChunkStore#open}.
 *
 * <p>The implementation of {@code file:} is in the module of durable stores, the implementation of addresses of
 * superpeers in the module of clusters.
 */
public interface StoreOpener {
    /**
     * Returns whether this object opens addresses with a scheme.
     *
     * @param scheme the part of an address in front of its first colon
     * @return whether it does
     */
    boolean opens(String scheme);

    /**
     * Opens a store.
     *
     * @param address the whole address, with its scheme
     * @return the store, which the caller must close
     */
    ChunkStore open(String address);
}
