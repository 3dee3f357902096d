package io.teff.cluster.archive;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.identity.ClusterId;
import java.io.IOException;
import java.util.List;

/** A connection to the owners of zones. For one thread. */
public interface ZoneLink {
    /**
     * {@return the cluster}
     *
     * @throws IOException if no superpeer answers
     */
    ClusterId cluster() throws IOException;

    /**
     * {@return the rows of all zones, as they are now}
     *
     * @throws IOException if no superpeer answers
     */
    List<ZoneRow> zones() throws IOException;

    /**
     * Sends a request to the owner of its zone; to begin with, waits until the zone has an owner.
     *
     * @param request what the owner is asked for
     * @return the answer; LOST if the owner has changed, or has not answered
     * @throws IOException if the zone has no owner for a long time, or the owner refuses the request; the message says
     *     why
     */
    ArchiveAnswer call(ArchiveRequest request) throws IOException;

    /**
     * {@return the number of a new zone}
     *
     * @throws IOException if the cluster gives no zone
     */
    int newZone() throws IOException;

    /** Waits a moment, before a zone is read or filled anew. */
    void pause();
}
