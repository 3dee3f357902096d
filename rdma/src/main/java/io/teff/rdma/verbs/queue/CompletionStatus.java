package io.teff.rdma.verbs.queue;

/** The outcome of a work request, by its name in the verbs interface. */
public enum CompletionStatus {
    /** It is done. */
    SUCCESS(0),
    /** A message does not fit into the local buffers, or is too long for the connection. */
    LOC_LEN_ERR(1),
    /** The queue pair found itself inconsistent while it processed the request. */
    LOC_QP_OP_ERR(2),
    /** An end-to-end context found itself inconsistent. */
    LOC_EEC_OP_ERR(3),
    /** A local buffer is not in a registered region of the protection domain, or beyond its end. */
    LOC_PROT_ERR(4),
    /** The queue pair was in the state ERR, or moved there, before the request was done. */
    WR_FLUSH_ERR(5),
    /** A memory window could not be bound. */
    MW_BIND_ERR(6),
    /** The peer answered something unexpected. */
    BAD_RESP_ERR(7),
    /** A write of the peer, with immediate data, to local memory was not allowed. */
    LOC_ACCESS_ERR(8),
    /** The peer found the request invalid: not enough buffer space, or an operation it does not allow. */
    REM_INV_REQ_ERR(9),
    /** The key, the range or the access flags of the memory of the peer do not allow the access. */
    REM_ACCESS_ERR(10),
    /** The peer could not complete the operation. */
    REM_OP_ERR(11),
    /** The peer did not acknowledge the request, however often it was sent. */
    RETRY_EXC_ERR(12),
    /** The peer had no receive posted, however often the request was sent. */
    RNR_RETRY_EXC_ERR(13),
    /** The domain of a reliable datagram does not match. */
    LOC_RDD_VIOL_ERR(14),
    /** The peer found a reliable datagram invalid. */
    REM_INV_RD_REQ_ERR(15),
    /** The peer aborted the operation. */
    REM_ABORT_ERR(16),
    /** The number of an end-to-end context is invalid. */
    INV_EECN_ERR(17),
    /** The state of an end-to-end context is invalid. */
    INV_EEC_STATE_ERR(18),
    /** A fatal error of the device. */
    FATAL_ERR(19),
    /** A response did not arrive in time. */
    RESP_TIMEOUT_ERR(20),
    /** Another error of the transport. */
    GENERAL_ERR(21),
    /** Matching of tags has failed. */
    TM_ERR(22),
    /** A message of matched tags must be completed by software. */
    TM_RNDV_INCOMPLETE(23),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final CompletionStatus[] ALL = values();

    private final int code;

    CompletionStatus(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_wc_status} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static CompletionStatus of(int code) {
        for (CompletionStatus one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
