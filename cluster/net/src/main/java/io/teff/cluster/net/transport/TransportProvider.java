package io.teff.cluster.net.transport;

/** Opens transports of one scheme; found by {@link java.util.ServiceLoader}. */
public interface TransportProvider {
    /** {@return the scheme of the addresses, without the colon} */
    String scheme();

    /**
     * Opens a transport for one agent.
     *
     * @param options of the network
     * @return a transport without a listening address
     */
    Transport open(TransportOptions options);
}
