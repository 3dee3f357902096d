package io.teff.rdma.transport;

/** What an agent's thread sleeps in. */
public interface Sleeper {
    /**
     * Sleeps until there is something to do, or a {@link #signal}. By the agent's thread.
     *
     * @param timeoutNs longest sleep in nanoseconds
     */
    void sleep(long timeoutNs);

    /** Ends the sleep, the current or the next. Any thread. */
    void signal();
}
