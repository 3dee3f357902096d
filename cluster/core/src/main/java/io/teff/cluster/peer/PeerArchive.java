package io.teff.cluster.peer;

import io.teff.cluster.archive.ArchiveHome;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A peer whose zones are read for backups and filled from backups. Thread-safe.
 *
 * @param host the served zones
 * @param memory the zones in memory
 * @param ring the journal
 * @param shipper ships changes
 * @param local the zones at this node
 * @param hasEnded whether the session of a client has ended
 */
record PeerArchive(ZoneHost host, Zones memory, ShipRing ring, Shipper shipper, LocalZones local,
                   IntPredicate hasEnded) implements ArchiveHome {
    @Override
    public @Nullable ZoneFill refill(int zone) {
        final LocalZone known = local.zone(zone);
        return known == null ? null : known.refill(memory);
    }

    @Override
    public boolean isFilling(ZoneFill fill) {
        final LocalZone known = local.zone(fill.zone());
        return known != null && known.isFilledBy(fill);
    }

    @Override
    public boolean publish(ZoneFill fill) {
        final LocalZone known = local.zone(fill.zone());
        return known != null && known.refilled(fill, new SlotTable(fill.zone(), hasEnded));
    }
}
