package io.teff.cluster.net.message;

/**
 * Answers requests.
 *
 * @param <Q> type of the requests
 * @param <R> type of the answers
 */
@FunctionalInterface
public interface Answerer<Q, R> {
    /**
     * Called for each request.
     *
     * @param from NID of who asks
     * @param request what it asks
     * @return the answer
     * @throws Exception is told to who asks, as FAILED with its message
     */
    R answer(int from, Q request) throws Exception;
}
