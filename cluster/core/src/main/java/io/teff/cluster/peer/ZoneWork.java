package io.teff.cluster.peer;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.peer.LocalZone.State;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.engine.os.FailureText;

/**
 * Does for one zone what the zone's row asks this node for. For the thread that acts on the tables.
 *
 * <p><b>What is served.</b> A zone is served from the moment in which the row names this node as owner in a served
 * state and the zone is in memory, until the row names a different node. The lease is checked elsewhere: all zones of a
 * node have one lease.
 */
final class ZoneWork {
    private final NodeRef self;
    private final LocalZones zones;
    private final OwnedZones owned;
    private final ZoneRecoveries recoveries;
    private final BackupService backups;
    private final CellCommands commands;
    private final NodeLog events;

    /**
     * Begins without work.
     *
     * @param self this life of the node
     * @param zones the zones at this node
     * @param owned serves zones
     * @param recoveries fences and restores zones
     * @param backups this node's copies
     * @param commands sends commands
     * @param events receives failures
     */
    ZoneWork(NodeRef self, LocalZones zones, OwnedZones owned, ZoneRecoveries recoveries, BackupService backups,
             CellCommands commands, NodeLog events) {
        this.self = self;
        this.zones = zones;
        this.owned = owned;
        this.recoveries = recoveries;
        this.backups = backups;
        this.commands = commands;
        this.events = events;
    }

    /** Acts on a row. A failure does not leave this method: the next cycle tries the zone again. */
    void act(ZoneRow row) {
        zones.finished(row.zone());
        try {
            actNow(row);
            final LocalZone zone = zones.zone(row.zone());
            if (zone != null) {
                succeeded(zone);
            }
        } catch (RuntimeException e) {
            zones.unfinished(row.zone());
            final LocalZone failed = zones.begin(row.zone());
            final String text = "zone " + row.zone() + ": " + FailureText.of(e);
            if (failed.fault(text)) {                           // once, not in each cycle
                events.log(NodeEvent.ZONE_FAILED, text);
            }
        }
    }

    private void succeeded(LocalZone zone) {
        zone.fault(null);
        if (zone.isIdle()) {
            zones.remove(zone);
        }
    }

    private void actNow(ZoneRow row) {
        final LocalZone known = zones.zone(row.zone());
        if (known != null && isDeposed(row, known)) {
            owned.depose(known);
        }
        if (row.isOwnedBy(self)) {
            if (row.state() == ZoneState.RESTORING) {
                recoveries.restore(row);
            } else {
                owned.serve(row);
            }
            return;
        }
        final Backup mine = row.backup(self);
        if (mine != null && row.state().isFenced()) {
            recoveries.fence(row, mine);
        } else {
            if (mine == null || row.state().isServed()) {
                recoveries.giveUp(row.zone());
            }
            comeBack(row);
            backups.resume(row);
            backups.dropUnneeded(row);
        }
    }

    /**
     * Returns whether a row takes a zone from this node. A row that has this node restore a zone which this node
     * serves is such a row, too: the zone has had a different owner in between.
     */
    private boolean isDeposed(ZoneRow row, LocalZone zone) {
        if (row.isOwnedBy(self)) {
            return row.state() == ZoneState.RESTORING
                && (zone.state() == State.SERVED || zone.state() == State.HANDING_OVER);
        }
        final ZoneShipment shipment = zone.shipment();
        return shipment != null && row.version() > shipment.owner().row().version();
    }

    /** Offers the copy of an earlier life to a zone that waits for the copy. */
    private void comeBack(ZoneRow row) {
        final Backup kept = row.state() == ZoneState.WAITING && !row.isUsedUp() ? row.keptBefore(self) : null;
        if (kept != null) {
            zones.unfinished(row.zone());
            commands.send(backups.returned(row, kept));
        }
    }
}
