package io.teff.cluster.log;

import java.lang.System.Logger.Level;
import java.util.Locale;

/** The kinds of events logged by a node, each kind with its level. */
public enum NodeEvent {
    /** The node starts, waits, is ready, or ends in order. */
    NODE(Level.INFO),
    /** The node cannot start, or the work of the node has failed for good. */
    NODE_FAILED(Level.ERROR, true),
    /** The node has joined the cluster, with a new life. */
    LIFE_BEGUN(Level.INFO),
    /** A life of the node has ended: the superpeers have given up the life. */
    LIFE_ENDED(Level.WARNING),
    /** The lease is over, or ends soon unless more superpeers answer. */
    LEASE_SHORT(Level.WARNING),
    /** The node holds the lease again. */
    LEASE_HELD(Level.INFO),
    /** A backup of a zone takes no more changes of a former owner. */
    ZONE_FENCED(Level.INFO),
    /** A zone has been read from the node's log into memory. */
    ZONE_RESTORED(Level.INFO),
    /** The node serves a zone. */
    ZONE_SERVED(Level.INFO),
    /** The node has ended serving a zone. */
    ZONE_HANDED_OVER(Level.INFO),
    /** The node cannot do the work of a zone's row. */
    ZONE_FAILED(Level.ERROR, true),
    /** A part of a collection fills its zone. */
    PART_FILLS(Level.WARNING, true),
    /** The node asks the superpeers to replace a backup of a zone. */
    BACKUP_GIVEN_UP(Level.WARNING, true),
    /** The node is the only peer: no change has a backup. */
    ALONE(Level.WARNING),
    /** A copy of a zone is damaged and is not used. */
    COPY_DAMAGED(Level.ERROR),
    /** Another superpeer leads, or no superpeer leads. */
    LEADER(Level.INFO),
    /** The log of the superpeers is copied, or has failed. */
    CONSENSUS(Level.INFO, true),
    /** A disk is full: the node waits for room. */
    DISK_FULL(Level.ERROR, true),
    /** A full disk has room again. */
    DISK_ROOM(Level.INFO),
    /** A certificate of the node ends soon, or has ended. */
    CERTIFICATE_ENDS(Level.WARNING),
    /** New files for TLS are in use. */
    CERTIFICATE_TAKEN(Level.INFO),
    /** New files for TLS cannot be used, so the old ones stay in use. */
    CERTIFICATE_REFUSED(Level.WARNING, true),
    /** A principal was refused: it lacks a right, or is over a limit. */
    ACCESS_DENIED(Level.WARNING, true),
    /** A principal has used a right of operators or administrators. */
    ACCESS_USED(Level.INFO),
    /** New roles are in use, or cannot be used. */
    ACCESS_CHANGED(Level.INFO, true),
    /** A link was refused, by this node or by the other node. */
    LINK_REFUSED(Level.WARNING, true),
    /** A session with another node has ended. */
    SESSION_LOST(Level.INFO, true),
    /** An unexpected exception in the node's own code. */
    FAULT(Level.ERROR, true);

    private final Level level;
    private final boolean isRepeated;

    NodeEvent(Level level) {
        this(level, false);
    }

    NodeEvent(Level level, boolean isRepeated) {
        this.level = level;
        this.isRepeated = isRepeated;
    }

    /** {@return the level of the event} */
    public Level level() {
        return level;
    }

    /** {@return whether one cause makes the same event again and again, which a log shows now and then} */
    public boolean isRepeated() {
        return isRepeated;
    }

    /** {@return the name of the event in a log, in small letters} */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
