package io.teff.cluster.net.wire;

import io.teff.cluster.net.identity.ClusterId;
import java.io.IOException;
import java.io.Serial;

/** Either side refuses the link. */
public final class RefusedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Refusal reason;
    private final boolean isOwn;

    /**
     * Makes an exception.
     *
     * @param reason of the refusal
     * @param isOwn whether this side refuses, so that the peer must be sent the reason
     */
    public RefusedException(Refusal reason, boolean isOwn) {
        this(reason, isOwn, reason.text());
    }

    private RefusedException(Refusal reason, boolean isOwn, String text) {
        super((isOwn ? "this node refuses the link: " : "the other node refuses the link: ") + text);
        this.reason = reason;
        this.isOwn = isOwn;
    }

    /**
     * Returns this node's refusal of a node of another cluster.
     *
     * @param found cluster of the other node
     * @param expected cluster of this node
     * @return the refusal
     */
    public static RefusedException ofCluster(ClusterId found, ClusterId expected) {
        return new RefusedException(Refusal.CLUSTER, true, text(found, expected));
    }

    /**
     * Returns this node's refusal of a node whose certificate does not prove its NID.
     *
     * @param fault of the certificate
     * @return the refusal
     */
    public static RefusedException ofCertificate(String fault) {
        return new RefusedException(Refusal.CERTIFICATE, true, fault);
    }

    /**
     * Returns this node's refusal of a node without a version of the protocol in common.
     *
     * @param found versions of the other node
     * @return the refusal
     */
    static RefusedException ofVersion(Versions found) {
        return new RefusedException(Refusal.VERSION, true, text(found));
    }

    private static String text(Versions found) {
        return found.isUnknown() ? Refusal.VERSION.text() : "it has " + found + " of the protocol, and this node "
            + Versions.OWN + ": " + Refusal.VERSION.text();
    }

    /**
     * Returns the refusal received from the other node.
     *
     * @param message of the other node
     * @param expected cluster of this node
     * @return the refusal
     */
    public static RefusedException by(Greeting.Refused message, ClusterId expected) {
        final Refusal reason = Refusal.of(message.code());
        return new RefusedException(reason, false, switch (reason) {
            case CLUSTER -> message.cluster().isKnown() ? text(message.cluster(), expected) : reason.text();
            case VERSION -> text(Versions.of(message));
            default -> reason.text();
        });
    }

    /**
     * {@return the message to the other node}
     *
     * @param own cluster of this node
     */
    public Greeting.Refused message(ClusterId own) {
        return new Greeting.Refused(reason.code(), switch (reason) {
            case CLUSTER -> own;
            case VERSION -> Versions.OWN.inRefusal();
            default -> ClusterId.NONE;
        });
    }

    private static String text(ClusterId found, ClusterId expected) {
        final String reason = found.isKnown() && expected.isKnown()
            ? "the cluster was founded anew at these addresses, or the address is that of another cluster"
            : "the names of the clusters differ, or one of them has none";
        return "it is of " + found + ", expected " + expected + ": " + reason;
    }

    /** {@return the reason} */
    public Refusal reason() {
        return reason;
    }

    /**
     * {@return whether each further link is refused as well, until a node is configured anew} If the listener takes the
     * proof of this side, a wrong proof of the listener is no matter of secrets: such a listener is hostile.
     */
    public boolean isFinal() {
        return reason.isFinal() && (!isOwn || reason != Refusal.PROOF);
    }

    /** {@return whether this side refuses} */
    public boolean isOwn() {
        return isOwn;
    }
}
