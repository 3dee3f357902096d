package io.teff.rdma.verbs.queue;

/**
 * The state of a queue pair, and the moves that a program may make.
 *
 * <pre>{@code
 *   RESET --> INIT --> RTR --> RTS <--> SQD        any state --> RESET
 *                               ^                   any state --> ERR
 *                               |
 *                              SQE
 * }</pre>
 *
 * A failed request moves a queue pair to {@link #ERR}, or to {@link #SQE} if its service is unreliable, without a call.
 */
public enum QueuePairState {
    /** New: nothing can be posted. */
    RESET,
    /** Receives can be posted, and are not processed yet. */
    INIT,
    /** Ready to receive: messages arrive, sends cannot be posted. */
    RTR,
    /** Ready to send. */
    RTS,
    /** Send queue drained: no new send is begun. */
    SQD,
    /** Send queue error: sends are flushed, receives go on. */
    SQE,
    /** All requests are flushed with an error. */
    ERR,
    /** Reported by no device in use. */
    UNKNOWN;

    private static final QueuePairState[] ALL = values();

    /** {@return the number of ibv_qp_state} */
    public int code() {
        return ordinal();
    }

    /** Returns the state of a number. */
    static QueuePairState of(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : UNKNOWN;
    }

    /**
     * {@return whether a program may move a queue pair from this state to another one}
     *
     * @param next the other state
     */
    public boolean mayMoveTo(QueuePairState next) {
        return switch (next) {
            case RESET, ERR -> true;
            case INIT -> this == RESET || this == INIT;
            case RTR -> this == INIT;
            case RTS -> this == RTR || this == RTS || this == SQD || this == SQE;
            case SQD -> this == RTS || this == SQD;
            case SQE, UNKNOWN -> false;
        };
    }
}
