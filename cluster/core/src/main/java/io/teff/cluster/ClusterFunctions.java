package io.teff.cluster;

import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls of registered functions: each is a {@link ClusterFunction} on the class path of the peers. A call is one round
 * trip to the owner of the entry, and takes effect once. Thread-safe.
 *
 * <p>Both methods throw
 * <ul>
 * <li>{@link UnknownFunctionException} if the owner has no function of the name; the entry is as it was,
 * <li>{@link FunctionFailedException} if the function has failed; the entry is as it was,
 * <li>{@link IllegalArgumentException} if the map is not of this store, or the name or the argument is too long,
 * <li>the exceptions of each change of a map.
 * </ul>
 */
public interface ClusterFunctions {
    /**
     * Calls a function of an entry of a map.
     *
     * @param <K> type of the keys
     * @param map a map of this store
     * @param key of the entry, which need not exist
     * @param function name of the function
     * @param argument for the function, at most {@value ClusterFunction#ARGUMENT_BYTES_MAX} bytes
     * @return the result of the function; null for none
     */
    <K> byte @Nullable [] call(ChunkMap<K, ?> map, K key, String function, byte[] argument);

    /**
     * Calls a function of an entry of a sorted map.
     *
     * @param <K> type of the keys
     * @param map a map of this store
     * @param key of the entry, which need not exist
     * @param function name of the function
     * @param argument for the function, at most {@value ClusterFunction#ARGUMENT_BYTES_MAX} bytes
     * @return the result of the function; null for none
     */
    <K> byte @Nullable [] call(ChunkSortedMap<K, ?> map, K key, String function, byte[] argument);
}
