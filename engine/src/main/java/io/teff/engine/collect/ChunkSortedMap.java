package io.teff.engine.collect;

import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map in chunks, with the contract of {@link ConcurrentNavigableMap}.
 *
 * <p>Codecs encode keys and values. {@code Long}, {@code Integer} and strings have their natural order, byte arrays the
 * order of unsigned bytes. Other keys have the order of a comparator, which must not change as long as the map exists.
 * Two keys are equal if they compare as equal; the one put first stays. A key has at most {@value #KEY_BYTES_MAX} bytes
 * (a string in UTF-8); a longer one causes an {@link IllegalArgumentException}. Null is rejected.
 *
 * <p><b>Threads.</b> Thread-safe. Readers take no lock. {@code compute}, {@code merge} and similar methods are atomic
 * per key. These methods call the function at most once, while other writers of this key and of some other keys wait; a
 * function that changes the same map gets an {@link IllegalStateException}. Actions of a thread before it puts an entry
 * happen before actions of a thread that has read the entry.
 *
 * <p><b>Iteration</b> of the map and of its submaps, ascending and descending, is weakly consistent: it never fails,
 * keeps the order, returns each entry that exists throughout exactly once, and no key twice. The size of a submap is
 * counted at each call, in time proportional to it. <b>Errors.</b> A change throws {@link
 * io.teff.engine.error.StoreException} of category DEGRADED if the memory limit is reached, and then changes nothing.
 * All methods throw after the store is closed.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface ChunkSortedMap<K, V> extends ConcurrentNavigableMap<K, V>, ChunkCollection {
    /** Largest size of a key in bytes. */
    int KEY_BYTES_MAX = 1024;

    /**
     * Puts an entry like {@code put}, without reading the old value.
     *
     * @param key not null
     * @param value not null
     * @return whether the key is new
     */
    boolean set(K key, V value);

    /**
     * Removes an entry like {@code remove}, without reading the old value.
     *
     * @param key not null
     * @return whether there was an entry
     */
    boolean delete(K key);

    /**
     * Returns the values of several keys. In a cluster, many keys take one round trip.
     *
     * @param wanted keys, not null
     * @return a new map of the entries that were found; each is as {@code get} would return it
     */
    default Map<K, V> getAll(Collection<? extends K> wanted) {
        final Map<K, V> found = HashMap.newHashMap(wanted.size());
        for (K key : wanted) {
            final V value = get(key);
            if (value != null) {
                found.put(key, value);
            }
        }
        return found;
    }

    /**
     * Changes the value of an entry by a ready-made function, atomically, as {@link ChunkMap#apply}.
     *
     * @param key not null
     * @param change what is done
     * @return the value afterwards, or null if there is no entry
     * @throws IllegalArgumentException if values of this map have no such numbers
     * @throws IndexOutOfBoundsException if the value is too short for the field; nothing was changed then
     */
    @Nullable V apply(K key, ValueChange<? super V> change);

    /**
     * Changes the value of an entry as {@link #apply}, and does not return the value.
     *
     * @param key not null
     * @param change what is done
     * @return whether the entry has changed
     */
    boolean modify(K key, ValueChange<? super V> change);

    /**
     * Passes the bytes of a value in place to a scope, which should be short: writers of this and some other keys wait.
     *
     * @param key not null
     * @param scope called once if there is an entry; it must not change the map
     * @return whether there is an entry
     */
    boolean read(K key, ReadScope scope);

    /**
     * Lets a scope change the bytes of a value in place. Readers see either none or all of its changes.
     *
     * @param key not null
     * @param scope called once if there is an entry; it must not change the map. If it throws, its changes up to then
     *     stay
     * @return whether there is an entry
     */
    boolean update(K key, EditScope scope);
}
