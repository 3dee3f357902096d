package io.teff.rdma.transport.ucx;

/**
 * The states of a {@link UcxLink}.
 *
 * <pre>
 *  NAMED ──dial──> OPENING ───────HELLO──────> OPEN ──close──> CLOSING
 *    │                │                        ^ │                 │
 *    └──accepted──────│──> ANSWERED ─first piece┘ │connection       │
 *    │                │       │                   v ended          │
 *    │                │       │                 LOST ──close──> LOST_CLOSING
 *    │                │       │                   │                │
 *    └────────────────┴───────┴──────┬────────────┴────────────────┘
 *          failure, close, CLOSE of the peer, everything sent or late
 *                                    v
 *                                  OVER ──> RELEASED
 * </pre>
 *
 * <p>A link may end from each state, and no state comes back. {@link UcxLinks} keeps links in lists by their state.
 */
enum UcxLinkState {
    /** The link has a number, and waits for the address of the host, or for the answer to the HELLO of the dialer. */
    NAMED,
    /** The dialer waits for the HELLO of the listener. */
    OPENING,
    /** The listener has answered HELLO, and waits for the first piece of the dialer. */
    ANSWERED,
    /** The link carries bytes. */
    OPEN,
    /** The connection of an open link has ended. The link hands on earlier pieces, then ends. */
    LOST,
    /** This side has closed the link: sends the last bytes and CLOSE, and waits until the peer ends the connection. */
    CLOSING,
    /** This side has closed the link after the end of the connection. The link ends after earlier pieces. */
    LOST_CLOSING,
    /** The link has ended, and still has a number, a path and buffers. */
    OVER,
    /** The link has nothing any more. */
    RELEASED;

    /** Returns whether a link may go from a state to a target. */
    static boolean moves(UcxLinkState from, UcxLinkState to) {
        return switch (from) {
            case NAMED -> to == OPENING || to == ANSWERED || to == OVER;
            case OPENING, ANSWERED -> to == OPEN || to == OVER;
            case OPEN -> to == LOST || to == CLOSING || to == OVER;
            case LOST -> to == LOST_CLOSING || to == OVER;
            case CLOSING, LOST_CLOSING -> to == OVER;
            case OVER -> to == RELEASED;
            case RELEASED -> false;
        };
    }

    /** {@return whether bytes are taken and handed on} */
    boolean isOpen() {
        return this == OPEN || this == LOST;
    }

    /** {@return whether this side has closed the link, and the last bytes are under way} */
    boolean isClosing() {
        return this == CLOSING || this == LOST_CLOSING;
    }

    /** {@return whether the link has ended} */
    boolean isOver() {
        return this == OVER || this == RELEASED;
    }
}
