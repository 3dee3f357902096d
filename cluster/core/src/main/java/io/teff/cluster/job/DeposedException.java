package io.teff.cluster.job;

import java.io.Serial;

/** This peer does not serve the zone of a job any more: the run ends, and the next owner runs the job. */
final class DeposedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    DeposedException(int zone) {
        super("this node does not serve zone " + zone + " any more", null, false, false);
    }
}
