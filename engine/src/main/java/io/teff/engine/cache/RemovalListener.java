package io.teff.engine.cache;

/**
 * Receives each entry, and each value, that leaves a {@link CacheMap}.
 *
 * <p>The thread that has changed the map calls the listener after the change, outside of all locks: the listener may
 * use the map. Listeners of two threads may run at the same time, and in another order than the changes. An exception
 * goes to the handler of uncaught exceptions of the thread; the change stays.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
@FunctionalInterface
public interface RemovalListener<K, V> {
    /**
     * Called once for each removed entry and for each replaced value.
     *
     * @param key key of the entry
     * @param value the value that has left the map
     * @param cause the reason
     */
    void removed(K key, V value, RemovalCause cause);
}
