package io.teff.cluster.net.wire;

/** Why a link is refused. The code of a constant is its ordinal plus 1. */
public enum Refusal {
    /** No version is supported by both sides. */
    VERSION("they have no version of the protocol in common"),
    /** The node belongs to another cluster. */
    CLUSTER("they are of different clusters"),
    /** The node does not know the secret. */
    PROOF("they have different secrets, or one of them has none: all nodes and clients need the same secret"),
    /** The called NID is not this node's NID, or the caller has this node's NID. */
    NID("the caller looks for another node than the one at this address"),
    /** The two nodes are making another link at this moment. */
    OTHER_LINK("they are making another link"),
    /** The node has reached its limit of links. */
    TOO_MANY("there are as many links as there may be"),
    /** The node is being closed. */
    CLOSING("it is being closed"),
    /** The caller is older than another process with the caller's NID, or claims to be. */
    OLDER("another process with the caller's NID has started later, or a clock has gone back"),
    /** One of the two nodes has TLS. */
    TLS("one of them has TLS, and the other one has not: all nodes and clients need TLS, or none"),
    /** The called node does not know its cluster yet, so it may become a node of another cluster than the caller. */
    NO_CLUSTER("the called node does not know its cluster yet"),
    /** The caller has drawn a NID by lot, and another process with that NID has a link. */
    TAKEN("another process has drawn the same NID and is connected"),
    /** The certificate of one side lacks the name that the NID of this side needs. */
    CERTIFICATE("a certificate lacks the name that its node needs, such as the name of superpeers for a superpeer"),
    /** A code unknown to this version. */
    OTHER("for a reason that this version does not know");

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    /** {@return the reason in words, of the two nodes} */
    public String text() {
        return text;
    }

    /** {@return whether the two nodes do not fit; otherwise they may after another link is made, or one has ended} */
    public boolean isOfMisfits() {
        return this != OTHER_LINK && this != CLOSING && this != NO_CLUSTER;
    }

    /** {@return whether each further link is refused as well, until a node is configured anew} */
    public boolean isFinal() {
        return this == VERSION || this == CLUSTER || this == PROOF || this == TLS || this == CERTIFICATE;
    }

    /** {@return the number on the wire} */
    public int code() {
        return ordinal() + 1;
    }

    /**
     * Finds a reason.
     *
     * @param code from the wire
     * @return the reason, OTHER for codes of later versions
     */
    public static Refusal of(int code) {
        return code >= 1 && code <= values().length ? values()[code - 1] : OTHER;
    }
}
