package io.teff.rdma.verbs.connect;

/** The kind of an event of a connection or of its set-up. */
public enum ConnectionEventType {
    /** The address is known, and so is the device. */
    ADDR_RESOLVED(0),
    /** The address could not be resolved. */
    ADDR_ERROR(1),
    /** The route is known. */
    ROUTE_RESOLVED(2),
    /** The route could not be resolved. */
    ROUTE_ERROR(3),
    /** A peer wants to connect; the event has a new connection, and the private data of the peer. */
    CONNECT_REQUEST(4),
    /** The peer has answered, for connections without a queue pair of the manager. */
    CONNECT_RESPONSE(5),
    /** Connecting has failed. */
    CONNECT_ERROR(6),
    /** The peer does not answer. */
    UNREACHABLE(7),
    /** The peer rejects the connection, or does not listen; the event has its private data. */
    REJECTED(8),
    /** The connection is up. */
    ESTABLISHED(9),
    /** The connection has ended. */
    DISCONNECTED(10),
    /** The device is being removed. */
    DEVICE_REMOVAL(11),
    /** A group was joined. */
    MULTICAST_JOIN(12),
    /** A group could not be joined, or was left. */
    MULTICAST_ERROR(13),
    /** The network device of the address has changed. */
    ADDR_CHANGE(14),
    /** The queue pair may be used again: no packet of the old connection can arrive. */
    TIMEWAIT_EXIT(15),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final ConnectionEventType[] ALL = values();

    private final int code;

    ConnectionEventType(int code) {
        this.code = code;
    }

    /** {@return the number of rdma_cm_event_type} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static ConnectionEventType of(int code) {
        for (ConnectionEventType one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
