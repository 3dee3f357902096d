package io.teff.engine.map;

import org.jspecify.annotations.Nullable;

/** The indexes of a map, which change together with its entries. Thread-safe. */
public interface EntryIndexes {
    /**
     * Changes an entry and its places in all indexes, or nothing. Called under the writer lock of the key.
     *
     * @param key bytes of the key
     * @param before bytes of the value that the entry has, or null
     * @param after bytes of the value that the entry will have, or null
     * @param change makes the change of the entry
     * @throws IllegalStateException if the change is refused
     */
    void change(EntryPart key, @Nullable EntryPart before, @Nullable EntryPart after, Runnable change);
}
