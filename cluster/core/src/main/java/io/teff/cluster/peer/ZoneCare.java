package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.meta.ZoneVacant;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.Zones;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BooleanSupplier;

/**
 * Looks after the zones that this node serves: reports full zones, zones that have room again, and parts that fill
 * their zones, and removes what ended sessions have left. For the thread that acts on the tables.
 */
final class ZoneCare {
    private final NodeRef self;
    private final Tables tables;
    private final LocalZones zones;
    private final Zones memory;
    private final Shipper shipper;
    private final SlotLog slotLog;
    private final CellCommands commands;
    private final BooleanSupplier holdsLease;
    private final Clock clock;
    private final long zoneBytesMax;
    private final PartRoom rooms;

    /**
     * Begins without a zone.
     *
     * @param self this life of the node
     * @param config the peer's configuration
     * @param tables the node's tables
     * @param zones the zones at this node
     * @param memory has the chunks
     * @param shipper ships changes
     * @param slotLog takes changes of slots
     * @param commands sends commands
     * @param holdsLease whether the node holds its lease
     */
    ZoneCare(NodeRef self, PeerConfig config, Tables tables, LocalZones zones, Zones memory, Shipper shipper,
             SlotLog slotLog, CellCommands commands, BooleanSupplier holdsLease) {
        this.self = self;
        this.tables = tables;
        this.zones = zones;
        this.memory = memory;
        this.shipper = shipper;
        this.slotLog = slotLog;
        this.commands = commands;
        this.holdsLease = holdsLease;
        clock = config.platform().clock();
        zoneBytesMax = config.zoneBytesMax();
        rooms = new PartRoom(self.nid(), zoneBytesMax, config.log());
    }

    /** Looks after all zones; to be called about once a second. */
    void look() {
        fillUp();
        warn();
        removeSlots();
    }

    /** Returns a sentence for each part of a collection that fills its zone; on any thread. */
    List<String> problems() {
        return rooms.problems();
    }

    /** Looks for parts of collections that fill their zones. */
    private void warn() {
        for (ZoneRow row : tables.zones()) {
            final SlotTable of = row.isOwnedBy(self) && zones.isServed(row.zone()) ? zones.slots(row.zone()) : null;
            if (of != null) {
                rooms.look(row.zone(), of.maps());
            }
        }
        rooms.looked();
    }

    /** Reports the open zones that have reached their size. */
    private void fillUp() {
        for (ZoneRow row : tables.zones()) {
            if (row.isOwnedBy(self) && row.state() == ZoneState.OPEN && zones.isServed(row.zone())
                && takenBytes(row.zone()) >= zoneBytesMax) {
                commands.send(new Command.ZoneFull(row.zone(), row.epoch()));
            }
        }
    }

    /**
     * Reports full zones that have lost half of their bytes, so that creates go there again. A zone that is used again
     * needs no new number, and goes on with its CIDs.
     *
     * @param wanted most zones to be reported
     * @return the number of reported zones
     */
    int reopen(int wanted) {
        int count = 0;
        for (ZoneRow row : tables.zones()) {
            if (count < wanted && row.isOwnedBy(self) && row.state() == ZoneState.FULL && zones.isServed(row.zone())
                && takenBytes(row.zone()) <= zoneBytesMax / 2) {
                commands.send(new ZoneVacant(row.zone(), row.epoch()));
                count++;
            }
        }
        return count;
    }

    private long takenBytes(int zone) {
        try {
            return memory.stats(zone).takenBytes();
        } catch (NoSuchElementException _) {
            return 0;                                           // the zone is about to be filled from a backup
        }
    }

    /** Removes the slots and locks of ended sessions, and the locks that were not renewed. */
    private void removeSlots() {
        for (ZoneRow row : tables.zones()) {
            final SlotTable of = zones.slots(row.zone());
            if (of != null && holdsLease.getAsBoolean()) {
                endLocks(of);
                removeSlots(of, of.ended());
            }
        }
    }

    private void endLocks(SlotTable of) {
        final ZoneRow row = tables.zone(of.zone());
        final ChunkStore store = zones.served(of.zone());
        if (of.locks().size() > 0 && store != null && row != null && row.isOwnedBy(self) && row.state().isServed()) {
            of.locks().sweep(store, slotLog, clock.nowNs());
            shipper.kick();
        }
    }

    /**
     * Removes the slots of ended sessions. Tables that show the end of a session also show the zone's row of that
     * moment, or a later row. If the row still names this node, every later owner learns of the end of the session
     * before owning the zone. So no later owner executes a late request whose slot is gone.
     */
    private void removeSlots(SlotTable of, List<Integer> ended) {
        final ZoneRow row = tables.zone(of.zone());
        if (ended.isEmpty() || row == null || !row.isOwnedBy(self) || !row.state().isServed()) {
            return;
        }
        try {
            of.remove(ended, slotLog);
            shipper.kick();
        } catch (StoreException e) {
            if (e.category() == StoreException.Category.FATAL) {
                throw e;
            }                                                   // else the next look continues
        }
    }
}
