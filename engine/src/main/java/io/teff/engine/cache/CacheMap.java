package io.teff.engine.cache;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkCollection;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A hash map in chunks whose entries expire, or whose number or memory has a limit, or both.
 *
 * <pre>{@code
 * CacheMap<String, Session> sessions = CacheMap.builder(String.class, Session.class)
 *     .expireAfterAccess(Duration.ofMinutes(30))
 *     .limitEntries(100_000)
 *     .open(store, "sessions");
 * }</pre>
 *
 * <p><b>Time.</b> Deadlines are milliseconds. An entry whose deadline is reached is absent for all methods except
 * {@link #longSize}, {@code size}, {@code isEmpty} and {@link #memoryBytes}, which count expired entries that are not
 * removed yet. A read of such an entry, and every write, remove some of them; {@link #cleanUp} removes all. In a
 * durable store the deadlines survive, and go on while the store is closed.
 *
 * <p><b>Limit.</b> A write that exceeds the limit evicts entries before it returns. While several threads write, the
 * map may exceed its limit by an entry for each of them.
 *
 * <p><b>Reads</b> take no lock, except a read that moves a deadline. Puts, computations and iterations keep the
 * contract of {@link ConcurrentMap}, as of a {@link io.teff.engine.collect.ChunkMap}: {@code compute} and similar
 * methods are atomic per key and call the function at most once, and iteration is weakly consistent. A {@code compute}
 * whose function returns null for an entry removes it.
 *
 * <p><b>Errors.</b> {@link io.teff.engine.error.StoreException} of category DEGRADED if the memory limit of the store
 * is reached, also by a map with a limit; nothing is changed then. {@link IllegalStateException} after {@link
 * #close}, {@link io.teff.engine.error.StoreClosedException} after the store is closed. <b>Threads.</b> Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface CacheMap<K, V> extends ConcurrentMap<K, V>, ChunkCollection, AutoCloseable {
    /**
     * Begins the settings of a cache with codecs derived from the types.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param keys class of the keys
     * @param values class of the values
     * @return settings without expiry and limit
     * @throws io.teff.engine.codec.SchemaException if there is no codec for a type; the message names the field
     */
    static <K, V> CacheBuilder<K, V> builder(Class<K> keys, Class<V> values) {
        return builder(Codecs.of(keys), Codecs.of(values));
    }

    /**
     * Begins the settings of a cache.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param keys codec of the keys
     * @param values codec of the values
     * @return settings without expiry and limit
     */
    static <K, V> CacheBuilder<K, V> builder(Codec<K> keys, Codec<V> values) {
        return new CacheBuilder<>(keys, values);
    }

    // ---- entries ----

    /**
     * Puts an entry like {@code put}, and does not return the old value.
     *
     * @param key not null
     * @param value not null
     * @return whether there was no live entry
     */
    boolean set(K key, V value);

    /**
     * Puts an entry that lives as long as given, whatever the settings say of new and replaced entries. Reads may move
     * the deadline again, if the settings say so.
     *
     * @param key not null
     * @param value not null
     * @param lifetime duration from now on; zero or less expires the entry at once
     * @return the old value, or null
     * @throws IllegalStateException if entries of this map do not expire
     */
    @Nullable V put(K key, V value, Duration lifetime);

    /**
     * Removes an entry like {@code remove}, and does not return the value.
     *
     * @param key not null
     * @return whether there was a live entry
     */
    boolean delete(K key);

    /**
     * Returns a value without counting a read: no deadline moves, nothing is refreshed, and the eviction does not
     * notice.
     *
     * @param key not null
     * @return the value, or null
     */
    @Nullable V peek(K key);

    /**
     * Returns the entries of several keys.
     *
     * @param wanted keys, not null
     * @return a new map of the entries that were found; each is as {@code get} would return it
     */
    Map<K, V> getAll(Collection<? extends K> wanted);

    // ---- time ----

    /**
     * Returns the time that is left to an entry. Does not count as a read.
     *
     * @param key not null
     * @return the time, {@link #FOREVER} if the entry never expires, or null if there is no live entry
     */
    @Nullable Duration timeLeft(K key);

    /** The time that is left to an entry that never expires. */
    Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    /**
     * Sets the time that is left to an entry.
     *
     * @param key not null
     * @param left duration from now on
     * @return whether there is a live entry
     * @throws IllegalStateException if entries of this map do not expire
     */
    boolean expireAfter(K key, Duration left);

    // ---- loading ----

    /**
     * Returns the value of a key, and loads an absent value by the loader of the settings. One load of a key runs at a
     * time; other callers wait for its result, and get its exception.
     *
     * <p>The load runs in the calling thread, outside of all locks of the map. A value that was put meanwhile stays; if
     * the entry was put or removed meanwhile, the loaded value is returned and not stored.
     *
     * @param key not null
     * @return the value, or null if the loader returns null
     * @throws IllegalStateException if there is no loader, or if the calling thread is loading this key
     * @throws RuntimeException as the loader
     */
    @Nullable V getOrLoad(K key);

    /**
     * Returns the value of a key, and loads an absent value by a function, like {@link #getOrLoad(Object)}.
     *
     * @param key not null
     * @param loader gets the key; may return null
     * @return the value, or null if the function returns null
     */
    @Nullable V getOrLoad(K key, Function<? super K, ? extends @Nullable V> loader);

    /**
     * Returns the entries of several keys, and loads those that are absent, one after the other.
     *
     * @param wanted keys, not null
     * @return a new map, without the keys for which the loader returns null
     */
    Map<K, V> getAllOrLoad(Collection<? extends K> wanted);

    /**
     * Loads the value of a key again, in the background if the settings have an executor, else in the calling thread.
     * The old value is seen meanwhile. If the entry is changed meanwhile, the loaded value is not stored. If the loader
     * returns null, the entry is removed.
     *
     * @param key not null
     * @return the end of the load, or of the load of this key that is under way
     * @throws IllegalStateException if there is no loader
     */
    CompletableFuture<@Nullable V> refresh(K key);

    // ---- care ----

    /**
     * Removes all entries that have expired, and evicts entries until the limit is kept. Reads the whole map, about a
     * second per ten million entries.
     */
    void cleanUp();

    /** {@return the counters; all 0 unless the settings ask for statistics} */
    CacheStatistics statistics();

    /** {@return heap memory of what the eviction knows of past accesses, in bytes; 0 without a limit} */
    long policyBytes();

    /**
     * Ends the use of the map by this object; the entries stay in the store, where the map can be opened again. Loads
     * under way end without storing their values. Idempotent.
     */
    @Override
    void close();
}
