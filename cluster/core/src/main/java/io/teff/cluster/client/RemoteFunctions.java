package io.teff.cluster.client;

import io.teff.cluster.ClusterFunctions;
import io.teff.cluster.operation.FunctionCall;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import org.jspecify.annotations.Nullable;

/** Sends calls of registered functions to the owners of entries. Thread-safe. */
final class RemoteFunctions implements ClusterFunctions {
    private final ClusterClient client;

    RemoteFunctions(ClusterClient client) {
        this.client = client;
    }

    @Override
    public <K> byte @Nullable [] call(ChunkMap<K, ?> map, K key, String function, byte[] argument) {
        if (!(map instanceof RemoteMap<K, ?> remote) || remote.client() != client) {
            throw new IllegalArgumentException("the map is not of this store");
        }
        return remote.call(key, new FunctionCall(function, argument).toBytes());
    }

    @Override
    public <K> byte @Nullable [] call(ChunkSortedMap<K, ?> map, K key, String function, byte[] argument) {
        if (!(map instanceof RemoteSortedMap<K, ?> remote) || remote.client() != client) {
            throw new IllegalArgumentException("the map is not of this store");
        }
        return remote.call(key, new FunctionCall(function, argument).toBytes());
    }
}
