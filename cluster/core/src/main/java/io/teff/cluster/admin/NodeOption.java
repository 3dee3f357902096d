package io.teff.cluster.admin;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of a node. Each is a key of the configuration file, and an option of the command line. */
public enum NodeOption {
    /** The role of the node in the cluster. */
    ROLE("node.role", Kind.TEXT, null, "superpeer or peer", "What the node does."),
    /** Names the node for people. */
    NAME("node.name", Kind.TEXT, "the role",
        "1 to 64 letters, digits, '.', '_' or '-', the first one a letter or digit",
        "Names the node in logs and in the status."),
    /** The data folder. */
    FOLDER("node.folder", Kind.PATH, null,
        "a folder, relative to the configuration file; as an option, relative to the current folder",
        "Folder of the node's data. It is locked while the node runs."),
    /** Where the node listens. */
    LISTEN("node.listen", Kind.ADDRESS, null,
        "host:port, the port from 1 to 65535; over UCX ucx:host:port, over RDMA devices verbs:host:port",
        "Where other nodes and clients find the node. Addresses other than 127.0.0.1 need a secret."),
    /** The address at which other nodes find the node. */
    ADDRESS("node.address", Kind.ADDRESS, "node.listen",
        "host:port, which names one machine, with the transport of node.listen",
        "Peers: where other nodes and clients find the node, if that differs from where it listens."),
    /** The rack of a peer. */
    RACK("node.rack", Kind.TEXT, "a rack of its own",
        "1 to 64 letters, digits, '.', '_', '-', ':' or '/', the first one a letter or digit; empty as the default",
        "Peers: what fails together with the peer, such as a rack or an availability zone. The copies of a zone are in "
            + "different racks, if there are enough racks."),
    /** The log file. */
    LOG("node.log", Kind.PATH, "node.log in the folder", "a file, relative to the configuration file",
        "File to which the node writes its log."),
    /** Where the node serves the console. */
    CONSOLE("node.console", Kind.TEXT, "no console",
        "https://host:port with TLS, or http://127.0.0.1:port, http://localhost:port or http://[::1]:port",
        "Where browsers find the console and the figures of the cluster. Without TLS only on this machine."),
    /** File with the token of operators. */
    CONSOLE_TOKEN_FILE("node.console-token-file", Kind.PATH, "no actions",
        "a file of at least 16 bytes that other users cannot read, relative to the configuration file",
        "File with the token of operators. Without it the console shows the cluster and changes nothing."),
    /** Addresses of superpeers. */
    SUPERPEERS("cluster.superpeers", Kind.ADDRESSES, null, "1 to 5 addresses, each as node.listen",
        "Addresses of all superpeers, in the same order in all nodes; a new cluster has 1, 3 or 5. A peer may have one "
            + "of them, which tells it the others at the start."),
    /** Name of the cluster. */
    CLUSTER("node.cluster", Kind.TEXT, "any cluster", "1 to 32 letters, digits, '.', '_' or '-'",
        "Name of the cluster. The first start of a cluster fixes it. A node or client with another name is refused."),
    /** File with the secret. */
    SECRET_FILE("cluster.secret-file", Kind.PATH, "no secret",
        "a file of at least 16 bytes that other users cannot read, relative to the configuration file",
        "File with the cluster's secret, the same in all nodes and clients."),
    /** File with the roles. */
    ROLES_FILE("cluster.roles-file", Kind.PATH, "no roles: each process with the secret is an admin",
        "a file in TOML, relative to the configuration file",
        "File with the principals of the cluster, their roles and their limits, the same in all nodes."),
    /** The key of TLS. */
    TLS_KEY("cluster.tls-key", Kind.PATH, "no TLS",
        "a PEM file with a private key (PKCS#8, no password; EC, RSA or EdDSA) that other users cannot read, relative "
            + "to the configuration file",
        "File with the node's key. With it, all connections of nodes and clients are encrypted by TLS 1.3. All nodes "
            + "and clients of a cluster have TLS, or none."),
    /** The certificate of TLS. */
    TLS_CERTIFICATE("cluster.tls-certificate", Kind.PATH, "no TLS",
        "a PEM file with the certificate of cluster.tls-key, and behind it those that lead to an authority",
        "File with the node's certificate."),
    /** The authorities of TLS. */
    TLS_AUTHORITY("cluster.tls-authority", Kind.PATH, "no TLS",
        "a PEM file with the certificates of authorities",
        "File with the authorities whose certificates the node trusts. If all nodes share one key, its certificate is "
            + "its own authority."),
    /** The name of superpeers in certificates. */
    TLS_SUPERPEER_NAME("cluster.tls-superpeer-name", Kind.TEXT, "any certificate",
        "a DNS name or a URI of at most 255 characters, such as teff:superpeer",
        "Name that the certificates of superpeers have, as subject alternative name, and no other certificates have. "
            + "Nodes and clients then take a node for a superpeer only with such a certificate. The same in all nodes "
            + "and clients. Needs TLS."),
    /** Term of leases. */
    LEASE_MS("cluster.lease-ms", Kind.NUMBER, "1000", "10 to 600000",
        "Term of leases in milliseconds, the same in all nodes. A node that is silent for longer is replaced."),
    /** Drift of clocks. */
    DRIFT("cluster.drift-per-mille", Kind.NUMBER, "10", "0 to 100",
        "By how much the speeds of two clocks may differ, in thousandths, the same in all nodes."),
    /** Backups of each zone. */
    BACKUPS("cluster.backups", Kind.NUMBER, "2", "1 to 4",
        "Superpeers: backups of each zone. The first start of a cluster fixes it."),
    /** Scatter width of the copies. */
    SCATTER_WIDTH("cluster.scatter-width", Kind.NUMBER, "20", "0 to 10000",
        "Superpeers: with how many peers a peer shares zones, about; 0 for all. A larger width restores the zones of a "
            + "lost peer faster, and loses a zone more often when several peers are lost at once. The first start of a "
            + "cluster fixes it; ./teff cluster rebalance --scatter-width changes it."),
    /** Number of a superpeer. */
    NUMBER("superpeer.number", Kind.NUMBER, "the position of node.listen in cluster.superpeers",
        "0 to 14", "Superpeers: number of the superpeer. A superpeer that is added to a cluster gets its number from "
            + "./teff cluster superpeers add."),
    /** Commands between snapshots. */
    SNAPSHOT_COMMANDS("superpeer.snapshot-commands", Kind.NUMBER, "20000", "100 to 10000000",
        "Superpeers: most commands until the next snapshot of the metadata; 16 MiB of the log are another limit."),
    /** Memory for chunks. */
    MEMORY("peer.memory", Kind.SIZE, "1g", "64m to 16t",
        "Peers: most memory for chunks, outside of the Java heap."),
    /** Buffer of changes. */
    RING("peer.ring", Kind.SIZE, "32m", "8m to 1g, a power of two",
        "Peers: buffer of changes that backups have not acknowledged yet."),
    /** Rate of copies. */
    COPY_RATE("peer.copy-rate", Kind.SIZE, "16t", "64k to 16t",
        "Peers: about the most bytes a second that the peer copies to new backups and new owners of its zones. A zone "
            + "whose changes wait for a backup is copied faster."),
    /** Jars that a peer may load. */
    JARS("peer.jars", Kind.TEXTS, "no jar", "a list of SHA-256, each of 64 digits 0 to 9 and a to f",
        "Peers: uploaded jars that the node may load, by their SHA-256. ./teff cluster exec jars add FILE uploads a "
            + "jar and prints its SHA-256.");

    /** The form of a value. */
    public enum Kind {
        /** A text. */
        TEXT,
        /** A file or folder. */
        PATH,
        /** A whole number. */
        NUMBER,
        /** Bytes: a whole number, or a text such as 64m. */
        SIZE,
        /** One address. */
        ADDRESS,
        /** A list of addresses. */
        ADDRESSES,
        /** A list of texts. */
        TEXTS
    }

    private static final Set<NodeOption> REQUIRED = Set.of(ROLE, FOLDER, LISTEN, SUPERPEERS);

    private final String key;
    private final Kind kind;
    private final @Nullable String standard;
    private final String allowed;
    private final String description;

    NodeOption(String key, Kind kind, @Nullable String standard, String allowed, String description) {
        this.key = key;
        this.kind = kind;
        this.standard = standard;
        this.allowed = allowed;
        this.description = description;
    }

    /** {@return the key in configuration files, such as {@code node.role}} */
    public String key() {
        return key;
    }

    /** {@return the option of the command line, such as {@code --role}} */
    public String flag() {
        return "--" + key.substring(key.indexOf('.') + 1);
    }

    /** {@return the form of the value} */
    public Kind kind() {
        return kind;
    }

    /** {@return the default, for people; null if a value is required} */
    public @Nullable String standard() {
        return standard;
    }

    /** {@return what is allowed, for people} */
    public String allowed() {
        return allowed;
    }

    /** {@return what the option is for, in sentences} */
    public String description() {
        return description;
    }

    /** {@return whether a value is required} */
    public boolean isRequired() {
        return REQUIRED.contains(this);
    }

    /**
     * {@return the option with a key, or null}
     *
     * @param key name in configuration files, such as {@code node.address}
     */
    public static @Nullable NodeOption ofKey(String key) {
        for (NodeOption option : values()) {
            if (option.key.equals(key)) {
                return option;
            }
        }
        return null;
    }
}
