package io.teff.engine.map;

import java.util.AbstractMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A map with iteration by walks. An entry shown by a walk can be removed as long as the entry is unchanged.
 * Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public abstract class WalkedMap<K, V> extends AbstractMap<K, V> {
    /** For subclasses. */
    protected WalkedMap() {}

    /**
     * Checks that the map is usable. For calls whose result may need no chunk.
     *
     * @throws IllegalStateException if the map was dropped
     * @throws io.teff.engine.error.StoreClosedException if the store is closed
     */
    protected abstract void check();

    @Override
    @SuppressWarnings("EqualsHashCode")                         // the contract of maps
    public boolean equals(@Nullable Object other) {
        check();
        return super.equals(other);
    }

    /**
     * Returns all entries, as a range for a single walk or for several walks in parts.
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
     * @param value the bytes; if the entry has other bytes, {@code value} gets the entry's bytes
     * @return what happened
     */
    protected abstract Removal removeShown(K key, EncodedBytes value);

    /**
     * Removes the entries that a test accepts. An entry whose value changes meanwhile is tested again.
     *
     * @param test of keys and values
     * @return whether there was one
     */
    protected boolean removeTested(BiPredicate<? super K, ? super V> test) {
        return new TestedRemoval<>(this, test).all();
    }

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
