package io.teff.cluster.node;

import io.teff.cluster.access.AccessControl;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.cell.CellTls;
import io.teff.cluster.config.Address;
import io.teff.cluster.config.Secret;
import io.teff.cluster.config.Tls;
import io.teff.cluster.lease.LeaseTerms;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The checked configuration of a node. Immutable.
 *
 * @param role what the node does
 * @param name names the node for people
 * @param folder folder of the node's data
 * @param listen where the node listens
 * @param address at which other nodes find the node
 * @param log file of the node's log
 * @param superpeers addresses of all superpeers, in the order of their numbers
 * @param cluster name of the cluster; empty for any cluster
 * @param access the cluster's secret, or none, and the roles
 * @param tls key and certificates for TLS, or none
 * @param superpeerName name in the certificates of superpeers alone; empty for any certificate
 * @param lease terms of leases
 * @param console where the node serves the console
 * @param superpeer settings of superpeers; without meaning for all other roles
 * @param peer settings of peers; without meaning for all other roles
 */
public record NodeConfig(NodeRole role, String name, Path folder, Address listen, Address address, Path log,
                         List<Address> superpeers, String cluster, AccessControl access, Tls tls, String superpeerName,
                         LeaseTerms lease, ConsolePart console, SuperpeerPart superpeer, PeerPart peer) {

    /**
     * Options of the console.
     *
     * @param address where browsers find the console; null without a console
     * @param token the token of operators, or none
     */
    public record ConsolePart(@Nullable URI address, Secret token) {}

    /**
     * Options of superpeers alone.
     *
     * @param number position in the list of superpeers
     * @param backups backups of each zone
     * @param scatterWidth with how many peers a peer shares zones, about; 0 for all peers
     * @param snapshotCommands most commands until the next snapshot
     */
    public record SuperpeerPart(int number, int backups, int scatterWidth, long snapshotCommands) {}

    /**
     * Options of peers alone.
     *
     * @param memoryBytes most memory for chunks
     * @param ringBytes buffer of changes before their acknowledgement
     * @param copyRate most bytes copied to new backups in a second
     * @param jars hashes of the uploaded jars that the peer may load
     * @param rack name of the rack; empty for a rack of its own
     */
    public record PeerPart(long memoryBytes, long ringBytes, long copyRate, Set<String> jars, String rack) {}

    /** Copies the list. */
    public NodeConfig {
        superpeers = List.copyOf(superpeers);
    }

    /** {@return TLS of the networks of the node} */
    CellTls cellTls() {
        return CellTls.of(tls.context(), superpeerName).with(access::secret, access);
    }

    /** {@return the secret of the cluster; empty for none} */
    public byte[] secret() {
        return access.secret();
    }

    /**
     * Checks values.
     *
     * @param values values of options
     * @param source names the source of values, for a message about missing values: a file, or the command line
     * @return the configuration
     * @throws ConfigException if a value is missing or not allowed; names all faults
     */
    public static NodeConfig of(Map<NodeOption, OptionValue> values, String source) throws ConfigException {
        return new ConfigCheck(values, source).check();
    }
}
