package io.teff.cluster.terminal.node;

import java.util.Locale;

/** The kinds of lines in the log of a node that a process writes, or searches for: see CLUSTERS.md for all kinds. */
public enum LogKind {
    /** The node starts, waits, is ready, or ends in order. */
    NODE,
    /** The node cannot start, or the work of the node has failed for good. */
    NODE_FAILED,
    /** A disk is full: the node waits for room. */
    DISK_FULL,
    /** A full disk has room again. */
    DISK_ROOM;

    /** {@return the name of the kind in a log, such as {@code disk-full}} */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Writes a line of this kind. */
    void log(System.Logger logger, String text) {
        logger.log(this == NODE || this == DISK_ROOM ? System.Logger.Level.INFO : System.Logger.Level.ERROR,
            text() + ": " + text);
    }
}
