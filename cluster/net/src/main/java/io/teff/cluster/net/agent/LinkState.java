package io.teff.cluster.net.agent;

/**
 * The state of the link to another node.
 * <pre>
 *            dial                    opened
 *  DOWN ────────────────&gt; DIALING ─────────────&gt; UP ──┐ opened (another link takes its place)
 *   ^ │ &lt;──────────────── failed or given up      ^ │ ^──┘
 *   │ └──────── opened (the peer has dialed) ─────┘ │
 *   │ &lt;──────────────────── lost ───────────────────┤
 *   │                                               │ closed to rest
 *   │         needed, or the session has ended      v
 *   └──────────────────────────────────────────── RESTING ──── opened (the peer has dialed) ───&gt; UP
 * </pre>
 */
public enum LinkState {
    /** No link exists, and no dial is under way. */
    DOWN,
    /** This node has dialed, and the two sides have not yet authenticated each other. */
    DIALING,
    /** A link carries the session. */
    UP,
    /**
     * The link was closed because nothing was sent for a long time; the session continues without a link until there is
     * something to send.
     */
    RESTING;

    /** Returns whether a move is legal. */
    boolean mayBecome(LinkState next) {
        return switch (this) {
            case DOWN -> next == DIALING || next == UP;
            case DIALING -> next == UP || next == DOWN;
            case UP -> next == UP || next == DOWN || next == RESTING;
            case RESTING -> next == DOWN || next == UP;
        };
    }
}
