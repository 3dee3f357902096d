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
     * @param from NID of the sender
     * @param request of the sender
     * @return the answer
     * @throws Exception is reported to the sender as FAILED, with the message of the exception
     */
    R answer(int from, Q request) throws Exception;
}
