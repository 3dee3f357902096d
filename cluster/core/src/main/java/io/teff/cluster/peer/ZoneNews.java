package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import java.util.ArrayList;
import java.util.List;

/**
 * News for people about the zones of this node: the timelines of recoveries, and sentences about failures, refused
 * requests and zones that wait. The thread that acts on the tables composes the sentences. Any thread may read them.
 */
final class ZoneNews {
    private final NodeRef self;
    private final Tables tables;
    private final LocalZones zones;
    private final ZoneSupply supply;
    private final HeldUpZones heldUp;
    private final RecoveryHistory history;
    /** Sentences about the zones of this node that have few epochs left. */
    private List<String> nearTheirEnd = List.of();
    private volatile List<String> problems = List.of();

    /**
     * Begins without a problem.
     *
     * @param self this life of the node
     * @param tables the node's tables
     * @param zones the zones at this node
     * @param supply knows the refusals of new zones
     * @param heldUp knows the zones that wait for a backup
     * @param history the last recoveries
     */
    ZoneNews(NodeRef self, Tables tables, LocalZones zones, ZoneSupply supply, HeldUpZones heldUp,
             RecoveryHistory history) {
        this.self = self;
        this.tables = tables;
        this.zones = zones;
        this.supply = supply;
        this.heldUp = heldUp;
        this.history = history;
    }

    /** Looks for zones with few epochs left; to be called about once a second. */
    void lookForEnds() {
        nearTheirEnd = tables.zones().stream().filter(row -> row.isOwnedBy(self) && row.isNearItsEnd())
            .map(row -> "zone " + row.zone() + " has had configuration " + row.epoch() + " of "
                + ZoneRow.EPOCH_LAST + ", so it gets no new backups: copy its chunks to other zones in time")
            .toList();
    }

    /** Composes the sentences anew; in each cycle. */
    void compose() {
        final List<LocalZone> local = zones.all();
        final List<String> all = new ArrayList<>();
        for (LocalZone zone : local) {
            final String fault = zone.fault();
            if (fault != null) {
                all.add(fault);
            }
        }
        final String refusal = supply.problem();
        if (refusal != null) {
            all.add(refusal);
        }
        addUnloading(all);
        local.forEach(zone -> addHeldUp(zone, all));
        all.addAll(nearTheirEnd);
        for (LocalZone zone : local) {
            final ZoneRecovery recovery = zone.recovery();
            final String problem = recovery == null ? null : recovery.problem();
            if (problem != null) {
                all.add(problem);
            }
        }
        problems = all;
    }

    /** Adds what is left at this peer, if the peer is being unloaded. */
    private void addUnloading(List<String> all) {
        final NodeRow row = tables.node(self.nid());
        if (row != null && row.isUnloaded()) {
            int zones = 0;
            int copies = 0;
            for (ZoneRow zone : tables.zones()) {
                zones += zone.isOwnedBy(self) ? 1 : 0;
                copies += zone.hasBackup(self) ? 1 : 0;
            }
            all.add(zones + copies == 0 ? "this peer is unloaded, and can be ended" : "this peer is being unloaded: "
                + zones + " zones and " + copies + " copies are still here");
        }
    }

    /** Adds a zone whose changes wait for its only backup, which is not given up. */
    private void addHeldUp(LocalZone zone, List<String> all) {
        final ZoneRow row = heldUp.isHeldUp(zone) ? tables.zone(zone.zone()) : null;
        if (row != null && row.isOwnedBy(self) && row.backups().size() == 1) {
            all.add("changes of zone " + zone.zone() + " wait for its only backup, node "
                + row.backups().getFirst().node() + ": it takes nothing, as its disk is full, or it is not"
                + " reached");
        }
    }

    /** Returns the sentences. */
    List<String> problems() {
        return problems;
    }

    /** Returns the timelines of the last recoveries, oldest first. */
    List<RecoveryTimes> times() {
        return history.times();
    }
}
