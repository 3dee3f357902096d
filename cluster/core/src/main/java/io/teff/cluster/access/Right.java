package io.teff.cluster.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Right that a request needs. */
public enum Right {
    /** Nothing: each principal may ask for the nodes and zones of the cluster. */
    ANY("use the cluster"),
    /** Reads chunks, collections and services. */
    READ("read"),
    /** Changes chunks, collections and services, and takes locks. */
    WRITE("change"),
    /** Runs registered code at peers, which may reach each chunk. */
    COMPUTE("run jobs"),
    /** Sees the status and the figures of nodes. */
    STATUS("see the status"),
    /** Moves zones, accepts losses, changes superpeers, reads logs. */
    OPERATE("operate the cluster"),
    /** Reads and fills whole zones, and rebuilds metadata. */
    ADMINISTER("administer the cluster"),
    /** Speaks for a node. */
    NODE("speak for a node");

    private final String text;

    Right(String text) {
        this.text = text;
    }

    /** {@return what a principal with the right may do, behind "may"} */
    public String text() {
        return text;
    }

    /** {@return the roles with the right, for people} */
    public String roles() {
        return this == NODE ? "of nodes, by the secret of the cluster," : Arrays.stream(Role.values())
            .filter(role -> role.has(this)).map(role -> role.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" or "));
    }
}
