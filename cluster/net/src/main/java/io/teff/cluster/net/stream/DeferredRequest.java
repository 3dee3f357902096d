package io.teff.cluster.net.stream;

/** A request that is handled later, as too many answers wait for room. */
public interface DeferredRequest {
    /** Handles the request; called by the agent. */
    void resume();

    /**
     * Adds what the request keeps of the incoming stream.
     *
     * @param retained the sums
     */
    void addTo(RetainedBytes retained);
}
