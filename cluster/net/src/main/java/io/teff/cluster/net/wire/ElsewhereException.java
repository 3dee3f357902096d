package io.teff.cluster.net.wire;

import java.io.IOException;
import java.io.Serial;

/** The connection belongs to another agent of the listener. The other agent listens at another port. */
public final class ElsewhereException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int port;

    /**
     * Makes an exception.
     *
     * @param port where the agent listens, at the same host
     */
    public ElsewhereException(int port) {
        super("the connection is that of another agent, at port " + port);
        this.port = port;
    }

    /** {@return the port of that agent} */
    public int port() {
        return port;
    }
}
