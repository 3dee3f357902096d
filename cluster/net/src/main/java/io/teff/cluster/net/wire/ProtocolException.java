package io.teff.cluster.net.wire;

import java.io.IOException;
import java.io.Serial;

/** A peer has broken the protocol: the link cannot continue. */
public final class ProtocolException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param what the violation, with the numbers in question
     */
    public ProtocolException(String what) {
        super(what);
    }
}
