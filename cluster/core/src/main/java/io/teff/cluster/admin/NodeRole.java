package io.teff.cluster.admin;

import java.util.Locale;

/** The task of a node. */
public enum NodeRole {
    /** Keeps the cluster's metadata. */
    SUPERPEER,
    /** Owns zones and keeps backups of zones. */
    PEER;

    /** {@return the name in configurations} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
