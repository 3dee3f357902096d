package io.teff.cluster.peer;

import io.teff.cluster.collect.MapOpening;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.peer.LocalZone.State;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.Zones;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The zones that this node owns by their rows: begins the service, hands a zone over, ends the service. For the thread
 * that acts on the tables.
 *
 * <p><b>New zones.</b> A new zone is empty: only its owner changes the zone, and this life has been the owner from the
 * begin. Every other way to a served row leads through RESTORING.
 */
final class OwnedZones {
    private final NodeRef self;
    private final LocalZones zones;
    private final Shipper shipper;
    private final Zones memory;
    private final Restores pool;
    private final CellCommands commands;
    private final RecoveryHistory history;
    private final IntPredicate hasEnded;
    private final Clock clock;
    private final NodeLog events;

    /**
     * Begins without a zone.
     *
     * @param self this life of the node
     * @param config the peer's configuration
     * @param zones the zones at this node
     * @param shipper ships changes
     * @param life has the chunks, and threads for restored zones
     * @param commands sends commands
     * @param history receives the timelines of recoveries
     * @param hasEnded whether the session of a client has ended
     */
    OwnedZones(NodeRef self, PeerConfig config, LocalZones zones, Shipper shipper, LifeMemory life,
               CellCommands commands, RecoveryHistory history, IntPredicate hasEnded) {
        this.self = self;
        this.zones = zones;
        this.shipper = shipper;
        memory = life.zones();
        pool = life.pool();
        this.commands = commands;
        this.history = history;
        this.hasEnded = hasEnded;
        clock = config.platform().clock();
        events = config.log();
    }

    /** Does what a served row of this node asks for. */
    void serve(ZoneRow row) {
        final LocalZone zone = zones.begin(row.zone());
        final boolean isRestored = zone.state() == State.SERVED || zone.state() == State.HANDING_OVER;
        if (isRestored && row.isHandedOver()) {
            handOver(row, zone);
        } else if (zone.state() == State.HANDING_OVER) {
            serveAgain(row, zone);
        } else if (zone.state() == State.SERVED) {
            shipper.configured(row);
        } else if (zone.recovery() == null) {
            serveNew(row, zone);
        } else {
            serveRestored(row, zone);
        }
    }

    private void serveNew(ZoneRow row, LocalZone zone) {
        final ZoneShipment opened = shipper.open(row, 0);
        final ChunkStore chunks;
        boolean isAdded = false;
        try {
            chunks = memory.add(row.zone());
            isAdded = true;
        } finally {
            if (!isAdded) {
                shipper.end(row.zone());
            }
        }
        zone.serveNew(opened, new SlotTable(row.zone(), hasEnded), chunks);
        events.log(NodeEvent.ZONE_SERVED, "zone " + row.zone() + " is new and served in epoch " + row.epoch());
    }

    private void serveRestored(ZoneRow row, LocalZone zone) {
        shipper.configured(row);
        final ZoneRecovery ended = zone.serve(clock.nowNs());
        history.add(ended.served(row, clock.nowNs(), memory.stats(row.zone()).chunks()));
        openMaps(zone.store(), zone.slots());
    }

    private void openMaps(@Nullable ChunkStore chunks, @Nullable SlotTable slots) {
        if (chunks != null && slots != null) {
            pool.runIdle(new MapOpening(slots.maps(), chunks, pool::runIdle));
        }
    }

    /**
     * Ends serving the zone. Reports the end when all backups have all changes: then the heir may own the zone. An
     * operation that has begun before finds at its end that the zone is not served. So a change that the heir lacks is
     * never acknowledged.
     */
    private void handOver(ZoneRow row, LocalZone zone) {
        zones.unfinished(row.zone());
        shipper.configured(row);
        if (zone.handOver(row.epoch())) {
            events.log(NodeEvent.ZONE_HANDED_OVER, "zone " + row.zone() + " is not served any more: it moves to another"
                + " node in epoch " + row.epoch());
        }
        shipper.kick();
        if (shipper.isAcknowledged(row.zone())) {
            commands.send(new Command.HandOver(row.zone(), row.epoch(), self));
        }
    }

    private void serveAgain(ZoneRow row, LocalZone zone) {
        shipper.configured(row);
        zone.serveAgain(row.epoch(), clock.nowNs());
        events.log(NodeEvent.ZONE_SERVED, "zone " + row.zone() + " is served again in epoch " + row.epoch()
            + ": the node that it was to move to has failed");
    }

    /** Ends a zone that has a different owner, or none: the chunks in memory are worthless. */
    void depose(LocalZone zone) {
        zone.depose();
        zones.remove(zone);
        shipper.end(zone.zone());
        memory.drop(zone.zone());
    }
}
