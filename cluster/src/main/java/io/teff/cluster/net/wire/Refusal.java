package io.teff.cluster.net.wire;

/** Why a link is refused. The code of a constant is its ordinal and 1. */
public enum Refusal {
    /** There is no version that both speak. */
    VERSION,
    /** It belongs to another cluster. */
    CLUSTER,
    /** It does not know the secret. */
    PROOF,
    /** The node that it calls is not here, or has its own NID. */
    NID,
    /** The two nodes are making another link at this moment. */
    OTHER_LINK,
    /** There are as many links as there may be. */
    TOO_MANY,
    /** The node is being closed. */
    CLOSING,
    /** A code that this version does not know. */
    OTHER;

    /** {@return the number on the wire} */
    public int code() {
        return ordinal() + 1;
    }

    /**
     * Finds one.
     *
     * @param code from the wire
     * @return the reason, OTHER for codes of later versions
     */
    public static Refusal of(int code) {
        return code >= 1 && code <= values().length ? values()[code - 1] : OTHER;
    }
}
