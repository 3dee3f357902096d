package io.teff.cluster;

/** Connects to clusters; a service loader finds the implementation. Applications call {@link ClusterStore#connect}. */
public interface ClusterConnector {
    /**
     * Connects to a cluster.
     *
     * @param config of the client
     * @return the store
     */
    ClusterStore connect(ClientConfig config);
}
