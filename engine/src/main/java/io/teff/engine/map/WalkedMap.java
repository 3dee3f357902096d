package io.teff.engine.map;

import io.teff.engine.storage.EncodedBytes;
import java.util.AbstractMap;

/**
 * A map whose entries are shown by walks, and can be removed as long as they are what a walk has shown. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public abstract class WalkedMap<K, V> extends AbstractMap<K, V> {
    /** For subclasses. */
    protected WalkedMap() {}

    /**
     * Returns all entries, as a range for one walk or for several that share it.
     *
     * @param hasValues whether the walks read values
     * @return all entries
     */
    protected abstract EntryRange<K, V> range(boolean hasValues);

    /**
     * Removes an entry, without reading the old value.
     *
     * @param key not null
     * @return whether there was one
     */
    public abstract boolean delete(K key);

    /**
     * Removes an entry if its value has certain bytes.
     *
     * @param key not null
     * @param value the bytes; if the entry has others, they are replaced by those
     * @return what happened
     */
    protected abstract Removal removeShown(K key, EncodedBytes value);

    /**
     * Encodes a value.
     *
     * @param value not null
     * @param target receives its bytes
     */
    protected abstract void encode(V value, EncodedBytes target);

    /**
     * Decodes a value.
     *
     * @param value bytes of a value
     * @return a new object
     */
    protected abstract V decode(EncodedBytes value);
}
