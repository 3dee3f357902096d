package io.teff.cluster.net.message;

import io.teff.engine.codec.Codec;

/**
 * A kind of request and of its answer.
 *
 * @param <Q> type of the requests
 * @param <R> type of the answers
 * @param request the requests; its number is that of both
 * @param answer the answers
 */
public record RequestType<Q, R>(MessageType<Q> request, MessageType<R> answer) {
    /**
     * Makes a type of the usual largest lengths.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param id its number
     * @param request writes and reads requests
     * @param answer writes and reads answers
     * @return the type
     */
    public static <Q, R> RequestType<Q, R> of(int id, Codec<Q> request, Codec<R> answer) {
        return new RequestType<>(MessageType.of(id, request), MessageType.of(id, answer));
    }
}
