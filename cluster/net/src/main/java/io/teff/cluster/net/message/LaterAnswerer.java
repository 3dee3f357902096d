package io.teff.cluster.net.message;

/**
 * Answers requests at a time of its choice.
 *
 * @param <Q> type of the requests
 * @param <R> type of the answers
 */
@FunctionalInterface
public interface LaterAnswerer<Q, R> {
    /**
     * Called for each request. It may answer at once, or keep the handle, return, and let any thread answer later.
     *
     * @param from NID of the sender
     * @param request of the sender
     * @param answer to be completed once; it has ended already if the sender wants no answer
     * @throws Exception ends the request with FAILED and this message, unless it has ended; is reported to the listener
     */
    void answer(int from, Q request, Answer<R> answer) throws Exception;
}
