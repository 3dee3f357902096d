package io.teff.cluster.net.message;

/**
 * A request to be answered with a value, by any thread, at any time; see {@link PendingAnswer}.
 *
 * @param <R> type of the answer
 */
public interface Answer<R> extends PendingAnswer {
    /**
     * Ends the request with the answer. Never waits: without room to send, the answer's bytes are kept until there is
     * room. If the codec throws, the request ends with FAILED, and the listener is notified.
     *
     * @param answer for the caller; the bytes of the answer are made before this method returns
     * @return whether this call has ended the request; false if the request had ended before, and nothing is sent
     */
    boolean complete(R answer);
}
