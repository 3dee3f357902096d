package io.teff.rdma.verbs.device;

/** Event of a device, a port, a queue or a queue pair. */
public enum AsyncEventType {
    /** A completion queue is full, and completions are lost. */
    CQ_ERR(0),
    /** A queue pair cannot go on. */
    QP_FATAL(1),
    /** An invalid request of the peer has ended a queue pair. */
    QP_REQ_ERR(2),
    /** A forbidden access of the peer has ended a queue pair. */
    QP_ACCESS_ERR(3),
    /** A first message arrived while a queue pair was in the state RTR. */
    COMM_EST(4),
    /** All sends posted before the move to SQD are done. */
    SQ_DRAINED(5),
    /** A queue pair uses its alternate path. */
    PATH_MIG(6),
    /** A queue pair could not use its alternate path. */
    PATH_MIG_ERR(7),
    /** The device cannot go on. */
    DEVICE_FATAL(8),
    /** A port is up. */
    PORT_ACTIVE(9),
    /** A port is down. */
    PORT_ERR(10),
    /** The local id of a port has changed. */
    LID_CHANGE(11),
    /** The partition keys of a port have changed. */
    PKEY_CHANGE(12),
    /** Another subnet manager has taken over. */
    SM_CHANGE(13),
    /** A shared receive queue cannot go on. */
    SRQ_ERR(14),
    /** A shared receive queue has fewer receives than its limit. */
    SRQ_LIMIT_REACHED(15),
    /** A queue pair with a shared receive queue has used its last receive. */
    QP_LAST_WQE_REACHED(16),
    /** The subnet manager asks for new registrations. */
    CLIENT_REREGISTER(17),
    /** The addresses of a port have changed. */
    GID_CHANGE(18),
    /** A work queue cannot go on. */
    WQ_FATAL(19),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final AsyncEventType[] ALL = values();

    private final int code;

    AsyncEventType(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_event_type} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static AsyncEventType of(int code) {
        for (AsyncEventType one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
