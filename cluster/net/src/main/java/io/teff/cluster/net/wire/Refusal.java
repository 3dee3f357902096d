package io.teff.cluster.net.wire;

/** Why a link is refused. The code of a constant is its ordinal and 1. */
public enum Refusal {
    /** There is no version that both speak. */
    VERSION("they have no version of the protocol in common"),
    /** It belongs to another cluster. */
    CLUSTER("they are of different clusters"),
    /** It does not know the secret. */
    PROOF("they have different secrets"),
    /** The node that it calls is not here, or has its own NID. */
    NID("who is called has another NID, or the same as who calls"),
    /** The two nodes are making another link at this moment. */
    OTHER_LINK("they are making another link"),
    /** There are as many links as there may be. */
    TOO_MANY("there are as many links as there may be"),
    /** The node is being closed. */
    CLOSING("it is being closed"),
    /** It is older than another process with its NID, or says so. */
    OLDER("another process with the NID of who calls has started later, or a clock has gone back"),
    /** A code that this version does not know. */
    OTHER("for a reason that this version does not know");

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    /** {@return the reason in words, of the two nodes} */
    public String text() {
        return text;
    }

    /** {@return whether the two nodes do not fit; if they make another link, or one of them ends, they may} */
    public boolean isOfMisfits() {
        return this != OTHER_LINK && this != CLOSING;
    }

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
