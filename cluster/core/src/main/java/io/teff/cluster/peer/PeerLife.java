package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Membership;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.operation.OperationService;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.peer.event.ShippingStalledEvent;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Clock;
import io.teff.engine.report.StoreStats;
import io.teff.engine.zone.ZoneStats;
import io.teff.engine.zone.Zones;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of a peer, from its join to its end: its store, its ring, its backups, and what it acts on. Thread-safe.
 *
 * <p>The log outlives it. Everything else begins anew with the next life, because what an expired life holds is
 * worthless.
 */
final class PeerLife implements Membership.Listener, Shipper.Listener, NetworkListener, AutoCloseable {
    private static final long WINDOW_BYTES = 8 << 20;
    private static final long ZONE_BYTES_MAX = 256 << 20;
    private static final int ZONES_PER_LIMIT = 32;
    private static final long LEAVE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PeerConfig config;
    private final NodeRef node;
    private final Runnable wake;
    private final Tables tables = new Tables();
    private final RunTraffic traffic = new RunTraffic();
    private final ShipRing ring;
    private final Shipper shipper;
    private final Store store;
    private final BackupService backups;
    private final RestorePool pool;
    private final CellClient cell;
    private final Network network;
    private final Membership membership;
    private final PeerZones zones;
    private final PeerHost host;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile boolean isOver;

    private PeerLife(PeerConfig config, NodeRef node, Joining joining, CopyLog log, Runnable wake,
                     Consumer<Network> handlers) throws IOException {
        this.config = config;
        this.node = node;
        this.wake = wake;
        final Clock clock = config.platform().clock();
        ring = new ShipRing(config.ringBytes(), clock);
        shipper = new Shipper(node, ring, traffic, this, config.platform(), config.ringBytes());
        // creator 0 is no zone: the store's own ids are never used
        store = JournaledStores.open(Store.class, StoreConfig.builder().name("peer-" + node.nid()).nid(0)
            .memoryLimitBytes(config.memoryLimitBytes()).build(), ring, _ -> { });
        backups = new BackupService(node, log, tables, traffic, _ -> wake.run());
        host = new PeerHost(tables, ring, shipper, this::served, this::holdsLease);
        network = openNetwork(joining, handlers);
        pool = new RestorePool(node.nid(), config.restoreThreads(), config.platform().threads());
        cell = new CellClient(network, config.superpeers().size());
        membership = new Membership(node, network, config.superpeers().size(), config.terms(), cell, tables, clock,
            this);
        final long zoneBytes = Math.min(ZONE_BYTES_MAX, config.memoryLimitBytes() / ZONES_PER_LIMIT);
        final CellCommands commands = new CellCommands(cell, this::commandArrived);
        zones = new PeerZones(new PeerZones.Parts(node, tables, Zones.of(store), shipper, backups, log, commands, pool,
            new ZoneDemand(node, config.zonesMin(), config.backups(), config.settleNs(), clock.nowNs()),
            new Refills(node, config.backups(), config.settleNs(), Zones.of(store), ring, shipper, commands, clock),
            this::houseKeep, this::holdsLease, this::freeBytes), zoneBytes, clock);
    }

    /** Opens the life's network; if that fails, nothing of this life is left. */
    private Network openNetwork(Joining joining, Consumer<Network> handlers) throws IOException {
        boolean isOpen = false;
        try {
            final Network opened = Network.open(networkConfig(joining), it -> {
                traffic.register(it, backups, shipper);
                new OperationService(host).register(it);
                handlers.accept(it);
            });
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                store.close();
            }
        }
    }

    /**
     * Joins and begins a life.
     *
     * @param wake called when this life is over, or the log may have failed, on a thread that must not wait
     * @param handlers registers further handlers with the life's network
     * @param isGivenUp whether the peer ends, so that it need not join any more
     */
    static PeerLife begin(PeerConfig config, NodeFolder folder, CopyLog log, Runnable wake,
                          Consumer<Network> handlers, BooleanSupplier isGivenUp) throws IOException {
        final Joining joining = new Joining(config, isGivenUp);
        final NodeRef node = joining.join(new Command.Join(folder.id(), config.platform().chance().nextLong(),
            config.address(), Roles.PEER));
        final PeerLife life = new PeerLife(config, node, joining, log, wake, handlers);
        life.shipper.start();
        life.zones.start();
        return life;
    }

    private NetworkConfig networkConfig(Joining joining) {
        return config.network(node.nid()).listen(config.listen())
            .handlerThreads(config.handlerThreads()).windowBytes(WINDOW_BYTES).listener(this)
            .addresses(nid -> {
                final String superpeer = joining.superpeer(nid);
                final NodeRow row = superpeer == null ? tables.node(nid) : null;
                return row == null || row.address().isEmpty() ? superpeer : row.address();
            }).build();
    }

    private @Nullable ChunkStore served(int zone) {
        final PeerZones known = zones;
        return known == null ? null : known.served(zone);
    }

    NodeRef node() {
        return node;
    }

    ZoneHost host() {
        return host;
    }

    Tables tables() {
        return tables;
    }

    boolean holdsLease() {
        final Membership known = membership;
        return known != null && known.holdsLease();
    }

    // ---- events ----

    @Override
    public void changed(List<ZoneRow> rows) {
        final PeerZones known = zones;
        if (known != null) {                                    // else its first cycle looks at all rows
            known.changed(rows);
        }
    }

    /** The superpeers have given up this life. */
    @Override
    public void expired() {
        isOver = true;
        wake.run();
    }

    /** Returns whether the superpeers have given up this life. */
    boolean isOver() {
        return isOver;
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
    public void stalled(long ns) {
        ShippingStalledEvent.emit(node.nid(), ns);
    }

    @Override
    public void lost(int nid, long messages, String why) {
        shipper.lost(nid);
    }

    // ---- the end ----

    /**
     * Reports the end of this life, so that its zones are restored before its lease is over. Tries until a superpeer
     * has answered, or a time is over.
     */
    void leave(long limitNs) {
        membership.close();                                     // nothing is served from here on
        final Clock clock = config.platform().clock();
        final long endNs = clock.nowNs() + limitNs;
        while (!isOver && !isClosed.get() && cell.send(new Command.Ended(node)).join() == null
            && clock.nowNs() - endNs < 0) {
            clock.pause(this, LEAVE_PAUSE_NS);
        }
    }

    /** Ends without a word, as a process that is killed. Idempotent. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            membership.close();
            zones.close();
            network.close();
            shipper.close();
            pool.close();
            store.close();
        }
    }

    /** Returns what the zones hold that this life serves. */
    List<NodeStatus.ZoneUse> zoneUses() {
        final List<NodeStatus.ZoneUse> uses = new ArrayList<>();
        for (ZoneRow row : tables.zones()) {
            if (!isClosed.get() && zones.served(row.zone()) != null) {
                addUse(row.zone(), uses);
            }
        }
        return uses;
    }

    private void addUse(int zone, List<NodeStatus.ZoneUse> uses) {
        try {
            final ZoneStats stats = Zones.of(store).stats(zone);
            uses.add(new NodeStatus.ZoneUse(zone, stats.chunks(), stats.payloadBytes()));
        } catch (NoSuchElementException | StoreClosedException _) {
            return;                                             // the zone, or this life, has just ended
        }
    }

    /** Returns the memory of the chunks; none if this life has ended. */
    private StoreStats memory() {
        try {
            return store.stats();
        } catch (StoreClosedException _) {
            return new StoreStats("peer-" + node.nid(), 0, 0, 0, 0, 0, 0, 0, config.memoryLimitBytes(), false);
        }
    }

    /** Returns the memory that chunks can still take. */
    private long freeBytes() {
        final StoreStats stats = memory();
        return stats.limitBytes() - stats.usedBytes();
    }

    /** Returns the numbers of now. */
    PeerStats stats(@Nullable String failure) {
        return new PeerStats(node, failure, holdsLease(), zones.servedCount(), memory(), ring.usedBytes(),
            ring.capacity(), shipper.drainedBytes(), shipper.keptBytes(), shipper.lag(), shipper.waiting(),
            traffic.refused(), ring.refusals(), ring.roomWaits(), ring.abandonedCount(), shipper.stalls(),
            backups.numbers(), zones.times(), zones.problems());
    }
}
