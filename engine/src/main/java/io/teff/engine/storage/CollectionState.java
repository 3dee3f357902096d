package io.teff.engine.storage;

import io.teff.engine.lock.Stripes;

/** Whether a collection is usable: it is until it is dropped or the store is closed. Thread-safe. */
public final class CollectionState {
    private final Stripes stripes;
    private volatile boolean dropped;

    /**
     * Creates the state of a usable collection.
     *
     * @param stripes stripes of the store
     */
    public CollectionState(Stripes stripes) {
        this.stripes = stripes;
    }

    /** Marks the collection as dropped. */
    public void drop() {
        dropped = true;
    }

    /** {@return whether the collection was dropped} */
    public boolean isDropped() {
        return dropped;
    }

    /**
     * Checks that the collection was not dropped. Sufficient for an operation that then accesses a chunk of the
     * collection, because that access finds a closed store.
     *
     * @throws IllegalStateException if the collection was dropped
     */
    public void checkNotDropped() {
        if (dropped) {
            throw new IllegalStateException("the collection was dropped");
        }
    }

    /**
     * Checks that the store is open. For operations that show what was copied before.
     *
     * @throws io.teff.engine.error.StoreClosedException if the store is closed
     */
    public void checkOpen() {
        stripes.checkOpen();
    }

    /**
     * Checks that the collection was not dropped and the store is open. For operations that may access no chunk.
     *
     * @throws IllegalStateException if the collection was dropped
     * @throws io.teff.engine.error.StoreClosedException if the store is closed
     */
    public void check() {
        checkNotDropped();
        checkOpen();
    }
}
