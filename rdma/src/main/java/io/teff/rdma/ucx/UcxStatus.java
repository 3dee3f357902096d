package io.teff.rdma.ucx;

/**
 * The outcome of a UCX call or operation, by name. The names come from {@code ucs_status_t} without the prefix.
 *
 * <p>A newer library may have values that this list does not: they become {@link #UNKNOWN}.
 */
public enum UcxStatus {
    /** Done. */
    OK(0, "done"),
    /** Not done yet. */
    IN_PROGRESS(1, "under way"),
    /** No message is there. */
    NO_MESSAGE(-1, "no message is there"),
    /** A queue or a table is full. */
    NO_RESOURCE(-2, "a resource is used up"),
    /** Input or output has failed. */
    IO_ERROR(-3, "input or output has failed"),
    /** No memory is left. */
    NO_MEMORY(-4, "no memory is left"),
    /** A parameter is not accepted. */
    INVALID_PARAM(-5, "a parameter is not accepted"),
    /** No transport leads to the peer. */
    UNREACHABLE(-6, "no enabled transport reaches the peer or fits the request"),
    /** An address is not valid. */
    INVALID_ADDRESS(-7, "the address is not valid"),
    /** The library does not implement the call. */
    NOT_IMPLEMENTED(-8, "the library does not implement it"),
    /** The message was longer than the buffer; the buffer may hold its beginning. */
    MESSAGE_TRUNCATED(-9, "the message is longer than the buffer"),
    /** Nothing was moved. */
    NO_PROGRESS(-10, "no progress"),
    /** A buffer is too small. */
    BUFFER_TOO_SMALL(-11, "a buffer is too small"),
    /** An element was not found. */
    NO_ELEMENT(-12, "there is no such element"),
    /** Some of several connections have failed. */
    SOME_CONNECTS_FAILED(-13, "some connections have failed"),
    /** No device fits. */
    NO_DEVICE(-14, "no device fits the settings"),
    /** Events are waiting. */
    BUSY(-15, "busy"),
    /** Cancelled, or ended with its endpoint. */
    CANCELED(-16, "cancelled"),
    /** A segment of shared memory cannot be made or attached. */
    SHARED_MEMORY(-17, "a segment of shared memory cannot be made or attached"),
    /** It exists already. */
    ALREADY_EXISTS(-18, "it exists already"),
    /** An index or an offset is out of range. */
    OUT_OF_RANGE(-19, "out of range"),
    /** The time is over. */
    TIMED_OUT(-20, "the time is over"),
    /** A limit is exceeded. */
    EXCEEDS_LIMIT(-21, "a limit is exceeded"),
    /** Not supported here. */
    UNSUPPORTED(-22, "not supported"),
    /** The peer has refused the connection. */
    REJECTED(-23, "the peer has refused the connection"),
    /** There is no connection. */
    NOT_CONNECTED(-24, "not connected"),
    /** The peer has ended the connection, or has died. */
    CONNECTION_RESET(-25, "the peer has ended the connection"),
    /** The peer does not answer. */
    ENDPOINT_TIMEOUT(-80, "the peer does not answer"),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-128, "a status that this binding does not know");

    private static final int CODES = 256;
    private static final UcxStatus[] BY_CODE = byCode();

    private final int code;
    private final String text;

    UcxStatus(int code, String text) {
        this.code = code;
        this.text = text;
    }

    private static UcxStatus[] byCode() {
        final UcxStatus[] table = new UcxStatus[CODES];
        java.util.Arrays.fill(table, UNKNOWN);
        for (UcxStatus status : values()) {
            table[status.code & CODES - 1] = status;
        }
        return table;
    }

    /**
     * {@return the status of a code}
     *
     * @param code 8 bits in C
     */
    public static UcxStatus of(int code) {
        return code < -CODES / 2 || code >= CODES / 2 ? UNKNOWN : BY_CODE[code & CODES - 1];
    }

    /**
     * Returns the code of this status in C.
     *
     * @return 0 for {@link #OK}, 1 for {@link #IN_PROGRESS}, negative for failures
     */
    public int code() {
        return code;
    }

    /**
     * Returns half a sentence that explains this status.
     *
     * @return a text for messages
     */
    public String text() {
        return text;
    }

    /**
     * Returns whether this is a failure.
     *
     * @return false for {@link #OK} and {@link #IN_PROGRESS} alone
     */
    public boolean isFailure() {
        return code < 0;
    }
}
