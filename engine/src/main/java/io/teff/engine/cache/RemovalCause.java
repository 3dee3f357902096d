package io.teff.engine.cache;

/** The reason why an entry, or a value of an entry, has left a {@link CacheMap}. */
public enum RemovalCause {
    /** The application has removed the entry. */
    EXPLICIT,
    /** The entry has another value now. */
    REPLACED,
    /** The time of the entry was over. */
    EXPIRED,
    /** The entry made room, because the map has a limit. */
    SIZE;

    /** {@return whether the map has removed the entry by itself} */
    public boolean isEviction() {
        return this == EXPIRED || this == SIZE;
    }
}
