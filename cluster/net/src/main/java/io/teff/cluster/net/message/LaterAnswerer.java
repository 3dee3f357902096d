package io.teff.cluster.net.message;

/**
 * Answers requests at a time chosen by the answerer.
 *
 * @param <Q> type of the requests
 * @param <R> type of the answers
 */
@FunctionalInterface
public interface LaterAnswerer<Q, R> {
    /**
     * Called for each request. The answerer may answer at once, or keep the handle, return, and let any thread answer
     * later.
     *
     * @param from NID of the sender
     * @param request of the sender
     * @param answer to be completed once; the request has already ended if the sender wants no answer
     * @throws Exception ends the request with FAILED and the message of the exception, unless the request has ended; is
     *     reported to the listener
     */
    void answer(int from, Q request, Answer<R> answer) throws Exception;
}
