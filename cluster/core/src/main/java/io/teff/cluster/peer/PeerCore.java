package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Membership;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.peer.event.ShippingStalledEvent;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.Zones;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a life and how they work together, without the network, the store and the threads, which a simulator
 * replaces. Thread-safe.
 */
final class PeerCore implements Membership.Listener, Shipper.Listener {
    private static final long ZONE_BYTES_MAX = 256 << 20;
    private static final int ZONES_PER_LIMIT = 32;

    private final NodeRef node;
    private final Runnable ended;
    private final Tables tables = new Tables();
    private final RunTraffic traffic;
    private final ShipRing ring;
    private final Shipper shipper;
    private final BackupService backups;
    private final CellClient cell;
    private final Membership membership;
    private final Refills refills;
    private final PeerZones zones;
    private final PeerHost host;

    /**
     * What a life stands on.
     *
     * @param config the peer's configuration
     * @param node the life, as it has joined
     * @param log the peer's log
     * @param requests sends requests
     * @param link sends runs and their answers
     * @param pool restores zones
     * @param ring the journal of the life's store
     * @param memory the zones of this store
     * @param freeBytes how much memory chunks can still take
     * @param ended called when the superpeers have given up this life, on a thread that must not wait
     * @param logFailed called when the log may have failed, on a thread that must not wait
     */
    record Ground(PeerConfig config, NodeRef node, CopyLog log, Requests requests, RunTraffic.Link link, Restores pool,
                  ShipRing ring, Zones memory, LongSupplier freeBytes, Runnable ended, Runnable logFailed) {}

    /** Makes the parts; nothing happens before {@link #start}, or before a simulator drives them. */
    PeerCore(Ground ground) {
        final PeerConfig config = ground.config();
        final Clock clock = config.platform().clock();
        node = ground.node();
        ended = ground.ended();
        traffic = new RunTraffic(ground.link());
        ring = ground.ring();
        shipper = new Shipper(node, ring, traffic, this, config.platform(), ring.capacity());
        backups = new BackupService(node, ground.log(), tables, traffic, new DiskNews(config.log(),
            ground.logFailed()));
        cell = new CellClient(ground.requests(), config.superpeers().size());
        membership = new Membership(node, ground.requests(), config.superpeers().size(), config.terms(), cell, tables,
            clock, config.log(), this);
        final CellCommands commands = new CellCommands(cell, this::commandArrived);
        refills = new Refills(node, config.backups(), config.settleNs(), ground.memory(), this::slots, ring, shipper,
            commands, clock, config.log());
        zones = new PeerZones(new PeerZones.Parts(node, tables, ground.memory(), shipper, backups, ground.log(),
            commands, ground.pool(),
            new ZoneDemand(node, config.zonesMin(), config.backups(), config.settleNs(), clock.nowNs()),
            new ZoneClaims(node, config.backups(), config.settleNs(), clock.nowNs()), refills, new SlotLog(ring),
            config.log(), this::houseKeep, membership::holdsLease, ground.freeBytes()),
            Math.min(ZONE_BYTES_MAX, config.memoryLimitBytes() / ZONES_PER_LIMIT), clock);
        host = new PeerHost(tables, ring, shipper, zones::served, zones::slots, membership::holdsLease, clock,
            ground.memory());
    }

    void start() {
        shipper.start();
        zones.start();
        membership.start();
    }

    // ---- the parts ----

    NodeRef node() {
        return node;
    }

    Tables tables() {
        return tables;
    }

    RunTraffic traffic() {
        return traffic;
    }

    ShipRing ring() {
        return ring;
    }

    Shipper shipper() {
        return shipper;
    }

    BackupService backups() {
        return backups;
    }

    Membership membership() {
        return membership;
    }

    PeerZones zones() {
        return zones;
    }

    Refills refills() {
        return refills;
    }

    PeerHost host() {
        return host;
    }

    private @Nullable SlotTable slots(int zone) {
        return zones.slots(zone);
    }

    /** Returns the chunks of a zone that this life owns, or null. */
    @Nullable ChunkStore served(int zone) {
        return zones.served(zone);
    }

    // ---- events ----

    @Override
    public void changed(List<ZoneRow> rows) {
        zones.changed(rows);
    }

    /** The superpeers have given up this life. */
    @Override
    public void expired() {
        ended.run();
    }

    /** Tells the superpeers that this life is over. */
    CompletableFuture<@Nullable CommandReply> sendEnded() {
        return cell.send(new Command.Ended(node));
    }

    private void commandArrived() {
        membership.refresh();
        zones.wake();
    }

    private void houseKeep() {
        traffic.sendOwed();
        membership.refresh();
    }

    @Override
    public void holdsUp(ZoneRow row, NodeRef backup) {
        zones.holdsUp(row, backup);
    }

    @Override
    public void waitsForKept(ZoneRow row) {
        zones.doWithout(row);
    }

    @Override
    public void stalled(long ns) {
        ShippingStalledEvent.emit(node.nid(), ns);
    }
}
