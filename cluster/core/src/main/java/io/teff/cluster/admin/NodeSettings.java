package io.teff.cluster.admin;

import io.teff.cluster.ClientConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The checked configuration of a node. Only {@link #of} makes objects of this type. The text of this object names the
 * settings without the secret. Immutable, but for the certificates.
 */
public interface NodeSettings {
    /**
     * Checks the values of a configuration.
     *
     * @param values values of options, from any source
     * @param source names the source of the values, for a message about missing values: a file, or the command line
     * @return the settings
     * @throws ConfigException if values are missing or not allowed; names all faults
     */
    static NodeSettings of(Map<NodeOption, OptionValue> values, String source) throws ConfigException {
        return AdminProvider.load().settings(values, source);
    }

    /**
     * Checks ports of this machine before nodes are started at the ports.
     *
     * @param listen listening addresses of nodes, such as {@code tcp:127.0.0.1:7400}
     * @return busy ports with their users, in sentences; empty if all ports are free
     * @throws IllegalArgumentException if a text is no address
     */
    static List<String> portFaults(List<String> listen) {
        return AdminProvider.load().portFaults(listen);
    }

    /**
     * Checks that this machine has a transport, by listening at a free port of 127.0.0.1 for a moment.
     *
     * @param transport scheme of the transport, such as {@code ucx}
     * @return the missing software, in a sentence; null if the transport can be used
     */
    static @Nullable String transportFault(String transport) {
        return AdminProvider.load().transportFault(transport);
    }

    /** {@return the role of the node} */
    NodeRole role();

    /** {@return the name of the node} */
    String name();

    /** {@return the data folder, absolute} */
    Path folder();

    /** {@return the file of the node's log, absolute} */
    Path log();

    /** {@return the listening address with the transport, such as {@code tcp:127.0.0.1:7400}} */
    String listen();

    /** {@return the addresses of superpeers with their transports; all superpeers, in order, for a superpeer} */
    List<String> superpeers();

    /** {@return position of a superpeer among the superpeers, from 0; 0 for peers} */
    int number();

    /** {@return wanted backups of each zone, from 1 to 4; known to superpeers} */
    int backups();

    /**
     * {@return the first time at which one of the node's certificates ends, authorities included; null without TLS} New
     * files in the same places change the time.
     */
    @Nullable Instant certificateEnd();

    /** {@return where the node serves the console, such as {@code https://node-1:7480}; null without a console} */
    @Nullable URI console();

    /** {@return the token of the console's operators, a copy; null without a token} */
    byte @Nullable [] consoleToken();

    /** {@return whether the node has a file of roles} */
    default boolean hasRoles() {
        return false;
    }

    /**
     * {@return the principal that may operate the cluster by a token, or null}
     *
     * @param token any bytes
     */
    default @Nullable String operator(byte[] token) {
        return null;
    }

    /** {@return the configuration of a client with the node's superpeers, secret and TLS} */
    ClientConfig client();

    /**
     * Connects to the cluster of the node, without waiting. The addresses of {@link #superpeers} count as the addresses
     * of all superpeers.
     *
     * @return the connection
     * @throws IOException if this process cannot open a network
     */
    ClusterAdmin connect() throws IOException;

    /**
     * Starts the node in this process: locks the folder, checks the ports, and starts the parts of the role. Does not
     * wait until the node is ready. A peer with a single address of a superpeer waits up to a minute for the superpeer.
     *
     * @param logger receives the events of the node, each event as a line; called by several threads
     * @return the node, to be closed by the caller
     * @throws NodeStartException if something is in the way; then nothing is left running
     */
    ClusterNode start(System.Logger logger) throws NodeStartException;

    // ---- the folder of a node; the node need not run ----

    /**
     * {@return whether the folder of a superpeer has the whole log of the metadata} The superpeer may run. False for a
     * folder without a log, with a damaged log, or with a log whose copy was not complete.
     */
    boolean hasMetadata();

    /**
     * {@return whether the folder of a peer has a log, so that the folder was part of a cluster}
     *
     * @throws IOException if the folder cannot be read
     */
    boolean hasLog() throws IOException;
}
