package io.teff.engine.collect;

import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * A sorted map in chunks, with the contract of {@link ConcurrentNavigableMap}.
 *
 * <p>Keys and values become bytes by codecs. {@code Long}, {@code Integer} and strings have their natural order, byte
 * arrays that of unsigned bytes; other keys that of a comparator, which must say the same of a key as long as the map
 * exists. Two keys are the same if the order says so; the first one stays. A key has up to {@value #KEY_BYTES_MAX}
 * bytes (a string: of UTF-8), else {@link IllegalArgumentException}. Null is refused.
 *
 * <p><b>Threads.</b> Any number. Readers take no lock. {@code compute}, {@code merge} and their like are atomic per key
 * and call the function at most once, while other writers of some keys wait; a function that changes the same map gets
 * an {@link IllegalStateException}. What a thread did before it put an entry is visible to a thread that reads the
 * entry.
 *
 * <p><b>Iteration</b>, of the map and of its parts, upwards and downwards, is weakly consistent: it never fails, keeps
 * the order, shows each entry that is there all the time exactly once, and no key twice. The size of a part is counted.
 * <b>Errors.</b> A change throws {@link io.teff.engine.error.StoreException} of category DEGRADED if the memory limit
 * is reached, and then has done nothing; everything throws after the store is closed.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface ChunkSortedMap<K, V> extends ConcurrentNavigableMap<K, V>, ChunkCollection {
    /** Bytes of the longest key. */
    int KEY_BYTES_MAX = 1024;

    /**
     * The same as {@code put}, without reading the old value.
     *
     * @param key not null
     * @param value not null
     * @return whether the key is new
     */
    boolean set(K key, V value);

    /**
     * The same as {@code remove}, without reading the old value.
     *
     * @param key not null
     * @return whether there was an entry
     */
    boolean delete(K key);

    /**
     * Shows the bytes of a value in place, while writers of some keys wait. Keep it short.
     *
     * @param key not null
     * @param scope run once if there is an entry; it must not change the map
     * @return whether there is one
     */
    boolean read(K key, ReadScope scope);

    /**
     * Lets a scope change the bytes of a value in place; others see all of it or nothing.
     *
     * @param key not null
     * @param scope run once if there is an entry; it must not change the map. What it wrote before it throws stays
     * @return whether there is one
     */
    boolean update(K key, EditScope scope);
}
