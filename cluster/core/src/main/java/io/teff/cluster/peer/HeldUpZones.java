package io.teff.cluster.peer;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.os.Clock;
import java.util.concurrent.TimeUnit;

/** Asks for other backups in place of backups that hold up changes. Thread-safe. */
final class HeldUpZones {
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** A zone counts as held up for so long after the last report. */
    private static final long HELD_UP_NS = 4 * PAUSE_NS;

    private final LocalZones zones;
    private final Refills refills;
    private final CellCommands commands;
    private final Clock clock;
    private final NodeLog events;

    /**
     * Begins without a zone.
     *
     * @param config the peer's configuration
     * @param zones the zones at this node
     * @param refills chooses no backup at the node for a while
     * @param commands sends commands
     */
    HeldUpZones(PeerConfig config, LocalZones zones, Refills refills, CellCommands commands) {
        this.zones = zones;
        this.refills = refills;
        this.commands = commands;
        clock = config.platform().clock();
        events = config.log();
    }

    /** Asks for a configuration without a backup that holds up writes; on the thread that ships. */
    void holdsUp(ZoneRow row, NodeRef backup) {
        final LocalZone zone = zones.zone(row.zone());
        if (zone == null) {
            return;
        }
        final long nowNs = clock.nowNs();
        zone.holdsUp(nowNs);
        if (isOnlyBackup(row, backup) || !zone.mayAsk(nowNs, PAUSE_NS)) {
            return;
        }
        refills.avoid(backup);
        events.log(NodeEvent.BACKUP_GIVEN_UP, "zone " + row.zone() + " asks for another backup than node "
            + backup.nid() + ", which has not acknowledged changes for too long");
        commands.send(new Command.BackupFailed(row.zone(), row.epoch(), backup));
    }

    /** Returns whether a served zone has no other backup, so that the cell would not give up this backup. */
    private static boolean isOnlyBackup(ZoneRow row, NodeRef backup) {
        return row.state().isServed() && row.backups().size() == 1 && row.hasBackup(backup);
    }

    /** Returns whether changes of a zone wait for a backup. */
    boolean isHeldUp(LocalZone zone) {
        return zone.isHeldUp(clock.nowNs(), HELD_UP_NS);
    }
}
