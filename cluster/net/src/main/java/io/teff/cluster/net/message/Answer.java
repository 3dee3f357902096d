package io.teff.cluster.net.message;

/**
 * A request that is to be answered with a value, by any thread, at any time; see {@link PendingAnswer}.
 *
 * @param <R> type of the answer
 */
public interface Answer<R> extends PendingAnswer {
    /**
     * Ends the request with its answer. Never waits: without room to send, the answer's bytes are kept until there is
     * room. If the codec throws, the request ends with FAILED, and the listener is notified.
     *
     * @param answer for the caller; its bytes are made before this returns
     * @return whether this call has ended the request; false if it had ended before, and nothing is sent
     */
    boolean complete(R answer);
}
