package io.teff.cluster.peer;

import io.teff.cluster.operation.ZoneHost;
import io.teff.engine.zone.Zones;
import java.util.Map;

/** The store of one life of a simulated peer. */
interface SimStore {
    /** Returns its zones. */
    Zones zones();

    /** Returns what operations see of the peer. */
    ZoneHost host(ZoneHost its);

    /** Returns the values of a zone by CID without generation, if no chunk is locked or the zone was just restored. */
    Map<Long, Long> values(int zone);

    /** Returns the entries of the map of a zone; none if there is no map. */
    default Map<Long, Long> entries(int zone) {
        return Map.of();
    }

    /** Gives its memory back at the end of a run. */
    void close();
}
