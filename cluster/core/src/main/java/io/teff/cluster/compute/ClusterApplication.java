package io.teff.cluster.compute;

/**
 * Code that lives as long as a peer. Peers find the implementations with {@link java.util.ServiceLoader} on their own
 * class path or module path, and start each with the peer.
 * <pre>
 *               the peer has joined            start returns or throws
 *   (found) -----------------------> STARTING ------------------------> STARTED or FAILED
 *                                                                          | the peer ends
 *                                                                          v
 *                                                                       STOPPED
 * </pre>
 * An application has all rights of its peer, as each class on the class path. It has a thread of its own in {@link
 * #start}, and ends its further threads in {@link #stop}.
 */
public interface ClusterApplication {
    /** {@return the name, which is also the name of the file with the settings; letters, digits, dots and hyphens} */
    String name();

    /**
     * Starts the application. May run as long as the node.
     *
     * @param context the node and the cluster
     * @throws Exception is logged; the node goes on without the application
     */
    void start(ApplicationContext context) throws Exception;

    /**
     * Stops the application: called once, also if {@link #start} has not returned or has thrown. The node waits for at
     * most {@link ApplicationContext#STOP_NS} for the end of {@link #start}.
     */
    void stop();
}
