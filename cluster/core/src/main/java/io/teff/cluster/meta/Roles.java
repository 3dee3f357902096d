package io.teff.cluster.meta;

/**
 * The roles of a node.
 *
 * @param ownsZones whether the node can own zones
 * @param takesBackups whether the node can be a backup of zones
 */
public record Roles(boolean ownsZones, boolean takesBackups) {
    /** A peer that owns zones and takes backups. */
    public static final Roles PEER = new Roles(true, true);
    /** Neither: a client, or a peer that is being unloaded. */
    public static final Roles NONE = new Roles(false, false);
    /** A client: neither. */
    public static final Roles CLIENT = NONE;
}
