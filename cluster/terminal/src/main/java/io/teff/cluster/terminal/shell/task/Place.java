package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.terminal.local.ClusterFolder;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cluster of a session: a folder on this machine, or addresses. */
public interface Place {
    /** {@return the folder of the cluster, or null} */
    @Nullable ClusterFolder folder();

    /** {@return the values of the options that name this cluster in other commands, by the names of the options} */
    Map<String, String> options();

    /**
     * {@return a new connection for administrators}
     *
     * @throws IOException if this process cannot open a network, or the cluster refuses this process
     */
    ClusterAdmin connectAdmin() throws IOException;

    /**
     * {@return a new client}
     *
     * @throws IOException if a file with the secret or the certificates cannot be read
     */
    ClusterStore connectStore() throws IOException;
}
