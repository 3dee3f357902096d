package io.teff.cluster.client;

import io.teff.cluster.ClusterFunctions;
import io.teff.cluster.FunctionFailedException;
import io.teff.cluster.UnknownFunctionException;
import io.teff.cluster.operation.FunctionCall;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.Cid;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import java.nio.charset.StandardCharsets;
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

    /** Returns whether an answer says that a function was not found, or has failed. */
    static boolean isFailure(OperationAnswer answer) {
        return answer.code() == OperationFormat.NO_FUNCTION || answer.code() == OperationFormat.FUNCTION_FAILED;
    }

    /** Returns the exception for a function that was not found, or has failed. */
    static RuntimeException failure(OperationAnswer answer, byte[] call, long root) {
        final String name = FunctionCall.read(call, 0).name();
        final String text = new String(answer.bytes(), OperationFormat.HEAD_BYTES, answer.contentLength(),
            StandardCharsets.UTF_8);
        return answer.code() == OperationFormat.FUNCTION_FAILED
            ? new FunctionFailedException(name, "function " + name + " has failed: " + text)
            : new UnknownFunctionException(name, "the owner of zone " + Cid.nid(root) + " has no function " + name
                + " on its class path" + text);
    }
}
