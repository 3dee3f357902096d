package io.teff.cluster.net.message;

/**
 * A request to be answered, by any thread, at any time. The request ends once: by the first answer or failure, or
 * without an answer when the caller waits no longer (the deadline is over, the caller has given up, the caller's
 * session or this network has ended). After its end a request keeps nothing, and all calls are harmless and return
 * false. Thread-safe.
 *
 * <p>A request that is never answered costs the caller the wait until the deadline, and this node some hundred bytes
 * until the deadline. Requests waiting for an answer cost no thread, and take no credit from the sender.
 */
public interface PendingAnswer {
    /** {@return NID of the caller} */
    int from();

    /**
     * Ends the request with the failure FAILED.
     *
     * @param reason text for the caller; at most 1,024 bytes of the text are sent
     * @return whether this call has ended the request; false if the request had ended before
     */
    boolean fail(String reason);

    /**
     * Returns whether an answer would be sent now. The caller may have stopped waiting without this node knowing yet.
     *
     * @return false if the request has ended
     */
    boolean isOpen();
}
