package io.teff.cluster.net.wire;

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
        super((isOwn ? "this node refuses the link: " : "the other node refuses the link: ") + reason.text());
        this.reason = reason;
        this.isOwn = isOwn;
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
