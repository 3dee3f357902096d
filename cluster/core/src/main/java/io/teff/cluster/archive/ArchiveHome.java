package io.teff.cluster.archive;

import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import org.jspecify.annotations.Nullable;

/** A peer as the reading and filling of zones sees the peer. Thread-safe. */
public interface ArchiveHome {
    /** {@return the zones that the peer serves} */
    ZoneHost host();

    /** {@return the zones in memory} */
    Zones memory();

    /** {@return the journal of the zones} */
    ShipRing ring();

    /** {@return what ships changes to backups} */
    Shipper shipper();

    /**
     * Begins to fill a served zone anew. No operation finds the zone until {@link #publish}.
     *
     * @param zone number of the zone
     * @return the filler, which ends with the zone at this node; null if this peer does not own the zone
     */
    @Nullable ZoneFill refill(int zone);

    /**
     * {@return whether this peer owns the zone of a filler, and no other fill has begun}
     *
     * @param fill result of {@link #refill}
     */
    boolean isFilling(ZoneFill fill);

    /**
     * Serves a filled zone.
     *
     * @param fill result of {@link #refill}
     * @return whether the zone is served
     */
    boolean publish(ZoneFill fill);
}
