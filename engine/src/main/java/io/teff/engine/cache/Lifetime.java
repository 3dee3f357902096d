package io.teff.engine.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long each entry of a {@link CacheMap} lives. Runs while writers of this and of some other keys wait, and
 * must not use the map.
 *
 * <p>A duration of zero or less expires the entry at once, a duration above 17 years never. Durations are rounded up to
 * milliseconds. If a method throws, the operation that called it throws, and changes nothing.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
@FunctionalInterface
public interface Lifetime<K, V> {
    /**
     * Returns how long a new entry lives.
     *
     * @param key its key
     * @param value its value
     * @return the duration from now on, or null if the entry never expires
     */
    @Nullable Duration afterCreate(K key, V value);

    /**
     * Returns how long an entry lives that got another value. By default as long as a new entry.
     *
     * @param key its key
     * @param value its new value
     * @param left the time that was left to the entry, or null if the entry never expires
     * @return the duration from now on, or null if the entry never expires; {@code left} keeps the deadline
     */
    default @Nullable Duration afterUpdate(K key, V value, @Nullable Duration left) {
        return afterCreate(key, value);
    }

    /**
     * Returns how long an entry lives that was read. By default the deadline stays.
     *
     * @param key its key
     * @param value its value
     * @param left the time that was left to the entry, or null if the entry never expires
     * @return the duration from now on, or null if the entry never expires; {@code left} keeps the deadline
     */
    default @Nullable Duration afterRead(K key, V value, @Nullable Duration left) {
        return left;
    }
}
