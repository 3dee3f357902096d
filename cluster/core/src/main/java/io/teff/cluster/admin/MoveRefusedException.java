package io.teff.cluster.admin;

import java.io.IOException;

/** A move of zones that was not begun, because the move could not end, or no superpeer has taken the order. */
public final class MoveRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    /** The reason, for programs. */
    private final Reason reason;

    /** Why a move is refused. */
    public enum Reason {
        /** No peer has this NID. */
        NO_SUCH_PEER,
        /** The peer does not run. */
        NOT_RUNNING,
        /** The peer runs, so its copies may be needed. */
        STILL_RUNNING,
        /** Without the peer, zones would have fewer backups than the cluster wants. */
        TOO_FEW_PEERS,
        /** The other peers have too little free memory for the zones of the peer. */
        TOO_LITTLE_MEMORY,
        /** Zones are not served, or have no backup: they cannot move. */
        ZONES_NOT_READY,
        /** A zone needs a copy of the peer. */
        COPY_NEEDED,
        /** A living peer gives no status, so that the free memory is unknown. */
        NO_STATUS,
        /** No superpeer led in time. */
        UNANSWERED,
        /** The tables have changed since the status was read. */
        CHANGED
    }

    /**
     * Makes it.
     *
     * @param reason the reason, for programs
     * @param text the reason, for people
     */
    public MoveRefusedException(Reason reason, String text) {
        super(text);
        this.reason = reason;
    }

    /** {@return the reason, for programs} */
    public Reason reason() {
        return reason;
    }
}
