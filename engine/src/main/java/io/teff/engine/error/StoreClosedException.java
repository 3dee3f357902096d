package io.teff.engine.error;

/** A store was used after {@code close()}. */
public final class StoreClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param storeName name of the closed store
     */
    public StoreClosedException(String storeName) {
        super("store " + storeName + " is closed");
    }
}
