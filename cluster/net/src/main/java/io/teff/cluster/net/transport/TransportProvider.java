package io.teff.cluster.net.transport;

/** Makes transports of one scheme; found by {@link java.util.ServiceLoader}. */
public interface TransportProvider {
    /** {@return what addresses begin with, without the colon} */
    String scheme();

    /**
     * Makes a transport for one agent.
     *
     * @param options what its network asks for
     * @return a transport that listens nowhere yet
     */
    Transport open(TransportOptions options);
}
