package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.terminal.config.NodeFile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a cluster on this machine and their ports: superpeers from the first port on, and peers from first port
 * + 10 on.
 *
 * @param superpeers number of superpeers
 * @param peers number of peers
 * @param port the first port
 * @param memory most memory for chunks of each peer, such as {@code 1g}
 * @param heapMb Java heap of each peer in MiB
 * @param transport scheme of the transport between nodes, and to clients
 * @param backups backups of each zone
 * @param racks number of racks, to which the peers belong in turn; 0 for a rack of its own for each peer
 */
public record ClusterPlan(int superpeers, int peers, int port, String memory, int heapMb, String transport,
                          int backups, int racks) {
    /** Maximum number of peers on a machine. */
    public static final int PEERS_MAX = 64;
    /** Ports of a cluster, from the first port to the last port. */
    public static final int PORTS = 10 + PEERS_MAX;

    /** The transport of clusters, unless something else is chosen. */
    public static final String TCP = "tcp";

    /** Default of the first port. */
    static final int PORT = 7_400;
    /** The highest first port. */
    static final int PORT_MAX = 65_535 - PORTS;
    /** Most memory for chunks of each peer, unless something else is chosen. */
    static final String MEMORY = "1g";
    /** Default Java heap of each peer in MiB. */
    static final int HEAP_MB = 192;

    /** Host of all nodes. */
    static final String HOST = "127.0.0.1";
    private static final int PEERS_FROM = 10;
    /** Ports of superpeers, from the first port on. */
    static final int SUPERPEER_PORTS = PEERS_FROM;
    /** Backups of each zone, unless something else is chosen. */
    static final int BACKUPS = 2;

    /** Makes a plan without racks. */
    public ClusterPlan(int superpeers, int peers, int port, String memory, int heapMb, String transport,
                       int backups) {
        this(superpeers, peers, port, memory, heapMb, transport, backups, 0);
    }

    /** Returns a plan with default sizes. */
    static ClusterPlan of(int superpeers, int peers, int port) {
        return new ClusterPlan(superpeers, peers, port, MEMORY, HEAP_MB, TCP, BACKUPS);
    }

    /** Returns this plan with another first port. */
    ClusterPlan at(int first) {
        return new ClusterPlan(superpeers, peers, first, memory, heapMb, transport, backups, racks);
    }

    /** Returns where all nodes listen. */
    List<String> listening() {
        List<String> all = new ArrayList<>(addresses(transport, port, 1, superpeers));
        all.addAll(addresses(transport, port + PEERS_FROM, 1, peers));
        return all;
    }

    /** {@return the names of the nodes, superpeers first, and the texts of their configuration files} */
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        for (int i = 0; i < superpeers; i++) {
            String name = "superpeer-" + (i + 1);
            Map<NodeOption, List<String>> values = common(NodeRole.SUPERPEER, name, port + i);
            values.put(NodeOption.BACKUPS, List.of(String.valueOf(backups)));
            files.put(name, NodeFile.write(values));
        }
        for (int i = 0; i < peers; i++) {
            String name = "peer-" + (i + 1);
            Map<NodeOption, List<String>> values = common(NodeRole.PEER, name, port + PEERS_FROM + i);
            values.put(NodeOption.MEMORY, List.of(memory));
            if (racks > 0) {
                values.put(NodeOption.RACK, List.of("rack-" + (i % racks + 1)));
            }
            files.put(name, NodeFile.write(values));
        }
        return files;
    }

    /** Returns the text of the configuration file of a superpeer that is added. */
    String superpeer(int number, String name, int listen, List<String> superpeerAddresses) {
        Map<NodeOption, List<String>> values = common(NodeRole.SUPERPEER, name, listen);
        values.put(NodeOption.BACKUPS, List.of(String.valueOf(backups)));
        values.put(NodeOption.NUMBER, List.of(String.valueOf(number)));
        values.put(NodeOption.SUPERPEERS, superpeerAddresses);
        return NodeFile.write(values);
    }

    /** Returns the address of a port, with the scheme of the transport. */
    String link(int listen) {
        return transport + ":" + HOST + ":" + listen;
    }

    private Map<NodeOption, List<String>> common(NodeRole role, String name, int listen) {
        Map<NodeOption, List<String>> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, List.of(role.text()));
        values.put(NodeOption.NAME, List.of(name));
        values.put(NodeOption.FOLDER, List.of(LocalNode.DATA));
        values.put(NodeOption.LISTEN, List.of(address(transport, listen)));
        values.put(NodeOption.LOG, List.of(LocalNode.LOG));
        values.put(NodeOption.SUPERPEERS, addresses(transport, port, 1, superpeers));
        return values;
    }

    private static List<String> addresses(String transport, int first, int step, int count) {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(address(transport, first + i * step));
        }
        return addresses;
    }

    private static String address(String transport, int port) {
        return (transport.equals(TCP) ? "" : transport + ":") + HOST + ":" + port;
    }
}
