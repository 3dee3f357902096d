package io.teff.engine.collect;

import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A hash map in chunks, with the contract of {@link ConcurrentMap}.
 *
 * <p>Codecs encode keys and values. Two keys are equal if their bytes are equal, so a key must not contain values that
 * are equal but encoded differently (such as a hash set, or a {@code double} that may be minus zero). Null is rejected.
 * A key refused by the codec, such as a key of another class, is absent.
 *
 * <p><b>Threads.</b> Thread-safe. Readers take no lock. {@code compute}, {@code merge} and similar methods are atomic
 * per key. These methods call the function at most once, while other writers of this key and of some other keys wait; a
 * function that changes the same map gets an {@link IllegalStateException}. Actions of a thread before it puts an entry
 * happen before actions of a thread that has read the entry.
 *
 * <p><b>Iteration</b> is weakly consistent: it never fails, returns each entry that exists throughout exactly once, and
 * no key twice. <b>Errors.</b> A change throws {@link io.teff.engine.error.StoreException} of category DEGRADED if the
 * memory limit is reached, and then changes nothing. All methods throw after the store is closed.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface ChunkMap<K, V> extends ConcurrentMap<K, V>, ChunkCollection {
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
     * Returns the values of several keys. The cache misses of up to 32 keys overlap, so this takes a fraction of the
     * time of single calls.
     *
     * @param wanted keys, not null
     * @return a new map of the entries that were found; each is as {@code get} would return it
     */
    Map<K, V> getAll(Collection<? extends K> wanted);

    /**
     * Returns a loader, which puts many entries in little time. {@code putAll} uses one for large maps.
     *
     * @param expectedEntries number of entries that will be added, so that the map grows to its later size at once; 0
     *     if unknown
     * @return a new loader
     */
    MapLoader<K, V> loader(long expectedEntries);

    /**
     * Changes the value of an entry by a ready-made function, atomically. In a cluster the owner of the entry makes the
     * change once, unlike the functions of {@code compute} and {@code merge}.
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
     * Changes the values of several entries, each as {@link #modify}. A cluster sends the keys in batches, as {@code
     * putAll}.
     *
     * @param keys not null; a key that occurs twice is changed twice
     * @param change what is done with each entry
     * @return the number of changes
     * @throws IndexOutOfBoundsException if a value is too short for the field; other entries were changed then
     */
    default int modifyAll(Collection<? extends K> keys, ValueChange<? super V> change) {
        int changes = 0;
        for (K key : keys) {
            changes += modify(key, change) ? 1 : 0;
        }
        return changes;
    }

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
