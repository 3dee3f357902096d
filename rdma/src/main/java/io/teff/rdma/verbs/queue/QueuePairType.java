package io.teff.rdma.verbs.queue;

/** The service of a queue pair. */
public enum QueuePairType {
    /** Reliable and connected: sends, reads, writes, atomic operations; in order, acknowledged. */
    RC(2),
    /** Unreliable and connected: sends and writes; a lost packet loses its message. */
    UC(3),
    /** Unreliable datagrams to any peer, of one packet each. */
    UD(4),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final QueuePairType[] ALL = values();

    private final int code;

    QueuePairType(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_qp_type} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static QueuePairType of(int code) {
        for (QueuePairType one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
