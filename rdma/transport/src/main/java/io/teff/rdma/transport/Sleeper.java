package io.teff.rdma.transport;

/** The sleep of an agent's thread. */
public interface Sleeper {
    /**
     * Sleeps until there is work, or a {@link #signal}. Called by the agent's thread.
     *
     * @param timeoutNs longest sleep in nanoseconds
     */
    void sleep(long timeoutNs);

    /** Ends the sleep, the current or the next. Any thread. */
    void signal();
}
