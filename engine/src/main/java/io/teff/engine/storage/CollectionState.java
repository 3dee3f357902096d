package io.teff.engine.storage;

import io.teff.engine.lock.Stripes;

/** Whether a collection can be used: until it is dropped or its store is closed. Thread-safe. */
public final class CollectionState {
    private final Stripes stripes;
    private volatile boolean dropped;

    /**
     * Begins.
     *
     * @param stripes of the store
     */
    public CollectionState(Stripes stripes) {
        this.stripes = stripes;
    }

    /** Ends it: the collection is being removed. */
    public void drop() {
        dropped = true;
    }

    /** {@return whether the collection was dropped} */
    public boolean isDropped() {
        return dropped;
    }

    /**
     * To be called by what goes on to a chunk of the collection, and so finds out itself that the store is closed.
     *
     * @throws IllegalStateException if the collection was dropped
     */
    public void checkNotDropped() {
        if (dropped) {
            throw new IllegalStateException("the collection was dropped");
        }
    }

    /**
     * To be called by what needs no chunk, or perhaps none.
     *
     * @throws IllegalStateException if the collection was dropped
     * @throws io.teff.engine.error.StoreClosedException if the store is closed
     */
    public void check() {
        checkNotDropped();
        stripes.checkOpen();
    }
}
