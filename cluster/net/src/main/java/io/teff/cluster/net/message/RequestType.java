package io.teff.cluster.net.message;

import io.teff.engine.codec.Codec;

/**
 * A kind of request and its answer.
 *
 * @param <Q> type of the requests
 * @param <R> type of the answers
 * @param request type of the requests; answers use the number of this type, too
 * @param answer type of the answers
 */
public record RequestType<Q, R>(MessageType<Q> request, MessageType<R> answer) {
    /**
     * Makes a type with default limits.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param id number of the type
     * @param request writes and reads requests
     * @param answer writes and reads answers
     * @return the type
     */
    public static <Q, R> RequestType<Q, R> of(int id, Codec<Q> request, Codec<R> answer) {
        return new RequestType<>(MessageType.of(id, request), MessageType.of(id, answer));
    }
}
