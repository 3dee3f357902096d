package io.teff.cluster.cell;

import io.teff.cluster.net.message.RequestType;
import java.util.concurrent.CompletableFuture;

/** Sends requests to other nodes: a network, or the replacement of a network in a simulator. Thread-safe. */
@FunctionalInterface
public interface Requests {
    /**
     * Sends a request. See {@link io.teff.cluster.net.Network#request(int, RequestType, Object, long)}.
     *
     * @param nid the node
     * @param type the type of request and answer
     * @param request content of the request
     * @param timeoutNs longest time until the answer
     * @return ends with the answer, or fails without an answer
     * @param <Q> type of the request
     * @param <R> type of the answer
     */
    <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs);
}
