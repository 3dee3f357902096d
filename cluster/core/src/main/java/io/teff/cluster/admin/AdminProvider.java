package io.teff.cluster.admin;

import io.teff.cluster.ClientConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Implements this package; a service loader finds the implementation. Applications call {@link ClusterAdmin},
 * {@link NodeSettings} and {@link ClusterRebuild}. Thread-safe.
 */
public interface AdminProvider {
    /** {@return the implementation} */
    static AdminProvider load() {
        return ServiceLoader.load(AdminProvider.class, AdminProvider.class.getClassLoader()).findFirst().orElseThrow();
    }

    /**
     * Implements {@link ClusterAdmin#connect(ClientConfig)}.
     *
     * @param config addresses, secret and TLS
     * @return the connection
     * @throws IOException if this process cannot open a network
     */
    ClusterAdmin connect(ClientConfig config) throws IOException;

    /**
     * Implements {@link NodeSettings#of}.
     *
     * @param values values of options
     * @param source names the source of the values
     * @return the settings
     * @throws ConfigException if values have faults
     */
    NodeSettings settings(Map<NodeOption, OptionValue> values, String source) throws ConfigException;

    /**
     * Implements {@link NodeSettings#portFaults}.
     *
     * @param listen listening addresses
     * @return the busy ports
     */
    List<String> portFaults(List<String> listen);

    /**
     * Implements {@link NodeSettings#transportFault}.
     *
     * @param transport scheme of a transport
     * @return the fault, or null
     */
    @Nullable String transportFault(String transport);

    /**
     * Implements {@link ClusterRebuild#plan}.
     *
     * @param peers the peers with readable or unreadable folders
     * @param backups backups of each zone
     * @return the plan
     * @throws IOException if the folder of a peer is in use
     */
    ClusterRebuild plan(List<NodeSettings> peers, int backups) throws IOException;
}
