package io.teff.cluster.net.wire;

import java.io.IOException;
import java.io.Serial;

/** What a peer has sent breaks the protocol: the link cannot go on. */
public final class ProtocolException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param what is wrong, with the numbers that say so
     */
    public ProtocolException(String what) {
        super(what);
    }
}
