package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Membership;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ChangeWaits;
import io.teff.cluster.peer.event.ShippingStalledEvent;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.os.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a life and their work together, without network, store and threads: a simulator replaces these.
 * Thread-safe.
 */
final class PeerCore implements Membership.Listener, Shipper.Listener {
    private final NodeRef node;
    private final LifeListener listener;
    private final Tables tables;
    private final LocalZones local = new LocalZones();
    private final RunTraffic traffic;
    private final ShipRing ring;
    private final Shipper shipper;
    private final BackupService backups;
    private final CellClient cell;
    private final CellCommands commands;
    private final Membership membership;
    private final Refills refills;
    private final HeldUpZones heldUp;
    private final PeerZones zones;
    private final PeerHost host;
    private final PeerArchive archive;
    private final ChangeWaits waits;

    /**
     * Makes the parts; nothing happens before {@link #start}, or before a simulator drives the parts.
     *
     * @param config the peer's configuration
     * @param node the life, as it has joined
     * @param log the peer's log
     * @param memory the memory of the life
     * @param requests sends requests
     * @param link sends runs and their answers
     * @param listener is notified of what ends the life
     */
    PeerCore(PeerConfig config, NodeRef node, CopyLog log, LifeMemory memory, Requests requests, RunTraffic.Link link,
             LifeListener listener) {
        final Clock clock = config.platform().clock();
        this.node = node;
        this.listener = listener;
        tables = new Tables(config.superpeers().set());
        traffic = new RunTraffic(link);
        ring = memory.ring();
        shipper = new Shipper(node, ring, traffic, this, config.platform(), ring.capacity());
        backups = new BackupService(node, log, tables, traffic, new DiskNews(config.log(), listener::logFailed));
        cell = new CellClient(requests, tables::superpeers);
        membership = new Membership(node, requests, config.terms(), cell, tables, config.platform(), config.log(),
            this);
        commands = new CellCommands(cell, this::commandArrived);
        refills = new Refills(node, config, memory.zones(), local::slots, ring, shipper, commands);
        heldUp = new HeldUpZones(config, local, refills, commands);
        waits = new ChangeWaits(local::slots, clock);
        zones = zones(config, log, memory);
        host = new PeerHost(tables, ring, shipper, local::served, local::slots, membership::holdsLease, clock,
            memory.zones(), local::used);
        archive = new PeerArchive(host, memory.zones(), ring, shipper, local, tables::hasEnded);
    }

    /** Makes what acts on the tables. */
    private PeerZones zones(PeerConfig config, CopyLog log, LifeMemory memory) {
        final RecoveryHistory history = new RecoveryHistory(node.nid(), config.log());
        final OwnedZones owned = new OwnedZones(node, config, local, shipper, memory, commands, history,
            tables::hasEnded);
        final CopyReader reader = new CopyReader(memory.zones(), log, memory.pool(), tables::hasEnded,
            config.platform().clock());
        final ZoneRecoveries recoveries = new ZoneRecoveries(node, config, local, shipper, backups, log, commands,
            reader, memory.freeBytes(), this::wake);
        final ZoneCare care = new ZoneCare(node, config, tables, local, memory.zones(), shipper, new SlotLog(ring),
            commands, membership::holdsLease);
        final ZoneSupply supply = new ZoneSupply(node, config, tables, local, care, refills, commands,
            membership::holdsLease, memory.freeBytes());
        return new PeerZones(node, config, tables, local,
            new ZoneWork(node, local, owned, recoveries, backups, commands, config.log()), care, supply,
            new ZoneNews(node, tables, local, supply, heldUp, history), this::houseKeep, waits::look);
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

    PeerArchive archive() {
        return archive;
    }

    ChangeWaits waits() {
        return waits;
    }

    /** Returns the slots of a zone that this life owns, or null. */
    @Nullable SlotTable slots(int zone) {
        return local.slots(zone);
    }

    /** Returns the number of operations in a zone since this life serves the zone. */
    long operations(int zone) {
        return local.operations(zone);
    }

    /** Returns the zones whose chunks this life has. */
    IntStream servedZones() {
        return local.all().stream().filter(zone -> zone.store() != null).mapToInt(LocalZone::zone);
    }

    /** Returns the chunks of a zone that this life owns, or null. */
    @Nullable ChunkStore served(int zone) {
        return local.served(zone);
    }

    // ---- events ----

    @Override
    public void changed(List<ZoneRow> rows) {
        zones.changed(rows);
    }

    /** The superpeers have given up this life. */
    @Override
    public void expired() {
        listener.ended();
    }

    /** Tells the superpeers that this life is over. */
    CompletableFuture<@Nullable CommandReply> sendEnded() {
        return cell.send(new Command.Ended(node));
    }

    private void commandArrived() {
        membership.refresh();
        zones.wake();
    }

    private void wake() {
        zones.wake();
    }

    private void houseKeep() {
        traffic.sendOwed();
        membership.refresh();
    }

    @Override
    public void holdsUp(ZoneRow row, NodeRef backup) {
        heldUp.holdsUp(row, backup);
    }

    /** Asks for a row without the kept copies: answers wait for changes that the kept copies lack. */
    @Override
    public void waitsForKept(ZoneRow row) {
        if (row.state().isServed()) {
            commands.send(new Command.DoWithout(row.zone(), row.epoch()));
        }
    }

    @Override
    public void stalled(long ns) {
        ShippingStalledEvent.emit(node.nid(), ns);
    }
}
