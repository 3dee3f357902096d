package io.teff.cluster.compute;

import io.teff.cluster.ClusterStore;

/** Services of a node for an application. Thread-safe. */
public interface ApplicationContext {
    /** Longest wait of a node for the end of an application: 5 s. */
    long STOP_NS = 5_000_000_000L;

    /** {@return the NID of the node} */
    int nid();

    /** {@return the whole cluster, with all services, connected at the first call; must not be closed} */
    ClusterStore store();

    /**
     * Returns a setting from the file {@code applications/NAME.properties} in the data folder of the node. The file is
     * read once, when the application starts.
     *
     * @param key name of the setting
     * @param otherwise value of a setting that is missing
     * @return the value
     */
    String setting(String key, String otherwise);

    /** {@return whether the node ends, so that the application has to end} */
    boolean isStopping();

    /**
     * Writes a line to the log of the node.
     *
     * @param line for people
     */
    void log(String line);
}
