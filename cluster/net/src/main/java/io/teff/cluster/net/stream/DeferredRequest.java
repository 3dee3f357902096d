package io.teff.cluster.net.stream;

/** A request that is handled later, as too many answers wait for room. */
public interface DeferredRequest {
    /** Handles the request; called by the agent. */
    void resume();

    /**
     * Adds the bytes of the incoming stream that the request holds.
     *
     * @param retained the sums
     */
    void addTo(RetainedBytes retained);
}
