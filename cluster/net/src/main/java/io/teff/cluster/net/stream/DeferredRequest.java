package io.teff.cluster.net.stream;

/** A request to be handled later, because too many answers wait for room. */
public interface DeferredRequest {
    /** Handles the request; called by the agent. */
    void resume();

    /**
     * Adds the bytes of the incoming stream held by the request.
     *
     * @param retained the sums
     */
    void addTo(RetainedBytes retained);
}
