package io.teff.cluster.net.message;

/**
 * A request that is to be answered, by any thread, at any time. It ends once: by the first answer or failure, or
 * without one when its caller waits no longer (its deadline is over, it has given up, its session or this network has
 * ended). From then on it keeps nothing, and all calls are harmless and return false. Thread-safe.
 *
 * <p>A request that is never answered costs its caller the wait until the deadline, and this node some hundred bytes
 * until then. Requests that wait for their answers cost no thread, and take no credit from their sender.
 */
public interface PendingAnswer {
    /** {@return NID of the caller} */
    int from();

    /**
     * Ends the request with the failure FAILED.
     *
     * @param reason text for the caller; at most 1,024 bytes of it are sent
     * @return whether this call has ended the request; false if it had ended before
     */
    boolean fail(String reason);

    /**
     * Returns whether an answer would be sent now. The caller may have stopped waiting without this node knowing yet.
     *
     * @return false if the request has ended
     */
    boolean isOpen();
}
