package io.teff.cluster.peer;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.peer.LocalZone.State;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.engine.os.Clock;
import io.teff.recovery.backup.ZoneCopy;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The zones that are being recovered: fences this node's copies, and restores the zones that this node will own. For
 * the thread that acts on the tables.
 */
final class ZoneRecoveries {
    private final NodeRef self;
    private final LocalZones zones;
    private final Shipper shipper;
    private final BackupService backups;
    private final CopyLog log;
    private final CellCommands commands;
    private final CopyReader reader;
    private final LongSupplier freeBytes;
    private final Runnable wake;
    private final Clock clock;
    private final NodeLog events;

    /**
     * Begins without a recovery.
     *
     * @param self this life of the node
     * @param config the peer's configuration
     * @param zones the zones at this node
     * @param shipper ships changes
     * @param backups this node's copies
     * @param log the log of the copies
     * @param commands sends commands
     * @param reader reads zones into memory
     * @param freeBytes how much memory chunks can still take
     * @param wake called on threads of the pool: a zone was read, or reading has failed
     */
    ZoneRecoveries(NodeRef self, PeerConfig config, LocalZones zones, Shipper shipper, BackupService backups,
                   CopyLog log, CellCommands commands, CopyReader reader, LongSupplier freeBytes, Runnable wake) {
        this.self = self;
        this.zones = zones;
        this.shipper = shipper;
        this.backups = backups;
        this.log = log;
        this.commands = commands;
        this.reader = reader;
        this.freeBytes = freeBytes;
        this.wake = wake;
        clock = config.platform().clock();
        events = config.log();
    }

    // ---- candidates ----

    /** Fences this node's copy of a zone, and reports the last change in the copy. */
    void fence(ZoneRow row, Backup mine) {
        final LocalZone zone = zones.begin(row.zone());
        final ZoneRecovery recovery = zone.candidate(clock);
        final long last = backups.fence(row, mine);
        final boolean isReported = row.reports().stream().anyMatch(report -> report.node().equals(self));
        if (row.state() == ZoneState.FENCING || !isReported) {  // a zone that waits for nodes may wait for long
            zones.unfinished(row.zone());
        }
        if (!isReported) {
            commands.send(new Command.Fenced(row.zone(), row.epoch(), self, last), _ -> { });
        }
        if (recovery.fenced(clock.nowNs())) {
            events.log(NodeEvent.ZONE_FENCED, "zone " + row.zone() + " is fenced in epoch " + row.epoch()
                + ": its backup here takes no changes of an earlier owner");
        }
    }

    /** Ends the candidacy of this node for a zone, if there is one. */
    void giveUp(int zone) {
        final LocalZone known = zones.zone(zone);
        if (known != null) {
            known.giveUp();
        }
    }

    // ---- the new owner ----

    /** Does what a row asks for that has chosen this node. */
    void restore(ZoneRow row) {
        final LocalZone zone = zones.begin(row.zone());
        zones.unfinished(row.zone());
        final ZoneRecovery recovery = zone.candidate(clock);
        final Backup own = row.keptOf(self);
        if (own != null) {
            backups.adopt(row, own);
        }
        final long last = backups.last(row.zone());
        if (zone.state() == State.CANDIDATE) {
            zone.chosen(shipper.open(row, last));
            recovery.chosen(clock.nowNs());
        }
        shipper.configured(row);
        if (zone.state() == State.CHOSEN && recovery.isDue(clock.nowNs())) {
            read(row, zone, recovery, last);
        }
        final ZoneShipment shipment = Objects.requireNonNull(zone.shipment());
        for (NodeRef behind : recovery.addTail(shipment, log, backups.name(row.zone()), clock.nowNs())) {
            events.log(NodeEvent.BACKUP_GIVEN_UP, "zone " + row.zone() + " goes on without its backup at node "
                + behind.nid() + ": this node cannot send the changes that the backup lacks");
            commands.send(new Command.BackupFailed(row.zone(), row.epoch(), behind));
        }
        if (shipment.owner().isRestored()) {
            recovery.shipped(clock.nowNs());
            if (zone.state() == State.READ) {
                commands.send(new Command.Owned(row.zone(), row.epoch(), self));
            }
        }
    }

    /** Has the zone read into memory, or asks for a different owner if this node cannot read the zone. */
    private void read(ZoneRow row, LocalZone zone, ZoneRecovery recovery, long last) {
        final ZoneCopy own = backups.name(row.zone());
        final Hindrance hindrance = recovery.hindrance();
        final ZoneRow.Obstacle known = row.obstacleOf(self);
        final boolean isKnown = known != null && known.hindrance() == hindrance;    // there is no other candidate
        final ZoneShipment shipment = Objects.requireNonNull(zone.shipment());
        final ZoneCopy kept = shipment.owner().isRestored() ? own : null;   // then this node's copy stays a backup
        final long neededBytes = recovery.neededBytes();
        final long free = neededBytes == 0 ? 0 : freeBytes.getAsLong();
        final boolean isShort = hindrance == Hindrance.MEMORY && neededBytes > free;
        if (hindrance == Hindrance.DAMAGE && !isKnown) {
            commands.send(new Command.CannotRestore(row.zone(), row.epoch(), self, 0, hindrance, 0, 0));
        } else if (isShort && kept != null) {
            commands.send(new Command.CannotRestore(row.zone(), row.epoch(), self, kept.copy(), Hindrance.MEMORY,
                neededBytes, free));
        } else if (hindrance == Hindrance.DISK && !isKnown && kept != null) {
            commands.send(new Command.CannotRestore(row.zone(), row.epoch(), self, kept.copy(), hindrance, 0, 0));
        } else if (!isShort) {
            if (neededBytes == 0 || !zones.isReading()) {
                recovery.postpone(clock.nowNs());
                reader.begin(zone, recovery, own, last, wake);
            }
            return;                                             // or the zone waits until the others have been read
        }
        recovery.postpone(clock.nowNs());
    }
}
