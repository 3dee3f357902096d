package io.teff.cluster.archive;

import java.io.IOException;

/** The owner of a zone refuses a request, for example as the zone has chunks. */
public final class ZoneRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param why the reason
     */
    public ZoneRefusedException(String why) {
        super(why);
    }
}
