package io.teff.cluster.job;

import java.io.Serial;

/** The session of a job's client has ended: the client begins a new session. */
final class ExpiredException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    ExpiredException() {
        super("the session of the client has ended", null, false, false);
    }
}
