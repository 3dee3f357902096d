package io.teff.cluster.peer;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.NodeStatus.CopyUse;
import io.teff.cluster.admin.NodeStatus.PeerFigures;
import io.teff.cluster.archive.ArchiveService;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.figure.NetworkFigures;
import io.teff.cluster.job.JobHost;
import io.teff.cluster.job.JobService;
import io.teff.cluster.job.NodeJars;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneSite;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.operation.OperationService;
import io.teff.cluster.operation.RequestTimes;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Clock;
import io.teff.engine.os.StoreSeams;
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
 * One life of a peer, from the join to the end: store, network, threads, and the parts that work together. Thread-safe.
 *
 * <p>The log outlives the life. Everything else begins anew with the next life, because the content of an expired life
 * is worthless.
 */
final class PeerLife implements NetworkListener, AutoCloseable {
    private static final long WINDOW_BYTES = 8 << 20;
    private static final long LEAVE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final PeerConfig config;
    private final NodeRef node;
    private final Runnable wake;
    private final Store store;
    private final RestorePool pool;
    private final PeerCore core;
    private final Network network;
    private final OwnClient client;
    private final JobService jobs;
    private final RequestTimes times;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile boolean isOver;

    private PeerLife(PeerConfig config, NodeRef node, NodeFolder folder, CopyLog log, NodeJars code, Runnable wake,
                     Consumer<Network> handlers) throws IOException {
        this.config = config;
        this.node = node;
        this.wake = wake;
        times = new RequestTimes(config.platform().clock());
        final ShipRing ring = new ShipRing(config.ringBytes(), config.platform().clock());
        // creator 0 is no zone: the store's own ids are never used
        final StoreConfig sizes = StoreConfig.builder().name("peer-" + node.nid()).nid(0)
            .memoryLimitBytes(config.memoryLimitBytes()).build();
        store = JournaledStores.open(Store.class, StoreSeams.replaced(sizes,
            StoreSeams.of(sizes).withPlatform(config.platform())), ring, _ -> { });
        pool = new RestorePool(node.nid(), config.restoreThreads(), config.platform().threads());
        final PeerNetwork link = new PeerNetwork();
        core = new PeerCore(config, node, log, new LifeMemory(ring, Zones.of(store), this::freeBytes, pool), link, link,
            new Ends());
        client = new OwnClient(config);
        jobs = new JobService(new JobHost(node, core.host(), core.tables(), link, config.platform(), client, code),
            Math.max(2, Runtime.getRuntime().availableProcessors()));
        network = openNetwork(link, networkConfig(folder), handlers);
    }

    /** Opens the life's network; if that fails, nothing of this life is left. */
    private Network openNetwork(PeerNetwork link, NetworkConfig its, Consumer<Network> handlers) throws IOException {
        boolean isOpen = false;
        try {
            final Network opened = Network.open(its, it -> {
                link.opened(it);
                core.traffic().register(it, core.backups(), core.shipper());
                new OperationService(core.host(), times).register(it);
                core.waits().register(it);
                jobs.register(it);
                new ArchiveService(core.archive()).register(it);
                handlers.accept(it);
            });
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                pool.close();
                store.close();
            }
        }
    }

    /**
     * Joins and begins a life.
     *
     * @param code the jobs and tasks of the peer
     * @param wake called when this life is over, or the log may have failed, on a thread that must not wait
     * @param handlers registers further handlers with the life's network
     * @param isGivenUp whether the peer ends, so that it need not join any more
     */
    static PeerLife begin(PeerConfig config, NodeFolder folder, CopyLog log, NodeJars code, Runnable wake,
                          Consumer<Network> handlers, BooleanSupplier isGivenUp) throws IOException {
        final Joining joining = new Joining(config, folder, isGivenUp);
        final Command.Join join = new Command.Join(folder.id(), config.platform().chance().nextLong(),
            config.address(), Roles.PEER);
        final NodeRef node = joining.join(config.rack().isEmpty() ? join : new ZoneSite(join, config.rack()));
        final boolean isNew = folder.lives().last() == 0;
        try {
            folder.lives().begins(node.incarnation());
        } catch (IOException e) {
            joining.leave(node);
            throw e;
        }
        final PeerLife life = new PeerLife(config.withSuperpeers(config.superpeers().with(joining.superpeers())), node,
            folder, log, code, wake, handlers);
        life.core.start();
        config.log().log(NodeEvent.LIFE_BEGUN, "has joined as node " + node.nid() + ", life "
            + node.incarnation() + (isNew ? "; its folder is new, and has no copy of a zone" : ""));
        return life;
    }

    private NetworkConfig networkConfig(NodeFolder folder) {
        return config.network(node.nid(), folder).listen(config.listen())
            .handlerThreads(config.handlerThreads()).windowBytes(WINDOW_BYTES).listener(this)
            .addresses(nid -> {
                final String superpeer = config.superpeers().address(nid, tables().superpeers());
                final NodeRow row = superpeer == null ? tables().node(nid) : null;
                return row == null || row.address().isEmpty() ? superpeer : row.address();
            }).build();
    }

    NodeRef node() {
        return node;
    }

    ZoneHost host() {
        return core.host();
    }

    int waits() {
        return core.waits().count();
    }

    Tables tables() {
        return core.tables();
    }

    boolean holdsLease() {
        return core.membership().holdsLease();
    }

    @Nullable String misfit() {
        return core.membership().misfit();
    }

    // ---- events ----

    private final class Ends implements LifeListener {
        @Override
        public void ended() {
            isOver = true;
            wake.run();
        }

        @Override
        public void logFailed() {
            wake.run();
        }
    }

    /** Returns whether the superpeers have given up this life. */
    boolean isOver() {
        return isOver;
    }

    @Override
    public void lost(int nid, long messages, String why) {
        core.shipper().lost(nid);
    }

    @Override
    public void refused(int nid, String peer, String why) {
        config.log().refused(peer, why);
    }

    // ---- the end ----

    /**
     * Reports the end of this life, so that its zones are restored before its lease is over. Tries until a superpeer
     * has answered, or a time is over.
     */
    void leave(long limitNs) {
        core.membership().close();                              // nothing is served from here on
        config.log().log(NodeEvent.NODE, "leaves the cluster: others recover its zones");
        final Clock clock = config.platform().clock();
        final long endNs = clock.nowNs() + limitNs;
        while (!isOver && !isClosed.get() && core.sendEnded().join() == null
            && clock.nowNs() - endNs < 0) {
            clock.pause(this, LEAVE_PAUSE_NS);
        }
    }

    /** Ends without a word, as a process that is killed. Idempotent. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            core.membership().close();
            core.zones().close();
            jobs.close();
            client.close();
            network.close();
            core.shipper().close();
            pool.close();
            store.close();
        }
    }

    /** Returns what the zones hold that this life serves. */
    List<NodeStatus.ZoneUse> zoneUses() {
        final List<NodeStatus.ZoneUse> uses = new ArrayList<>();
        for (ZoneRow row : tables().zones()) {
            if (!isClosed.get() && core.served(row.zone()) != null) {
                addUse(row.zone(), uses);
            }
        }
        return uses;
    }

    private void addUse(int zone, List<NodeStatus.ZoneUse> uses) {
        try {
            final ZoneStats stats = Zones.of(store).stats(zone);
            uses.add(new NodeStatus.ZoneUse(zone, stats.chunks(), stats.payloadBytes(), core.operations(zone)));
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

    /** Returns the figures of now, with the given copies. Zones and copies are listed together. */
    PeerFigures figures(boolean withZones, List<CopyUse> copies) {
        final ShipRing ring = core.ring();
        final Shipper shipper = core.shipper();
        return new PeerFigures(memory().committedBytes(),
            new NodeStatus.Ring(ring.capacity(), ring.usedBytes(), shipper.drainedBytes(), ring.refusals(),
                ring.roomWaits(), ring.abandonedCount()),
            new NodeStatus.Shipping(shipper.keptBytes(), shipper.lag(), shipper.waiting(), core.traffic().refused(),
                shipper.stalls()),
            core.backups().numbers(), core.zones().times().stream().map(RecoveryTimes::timeline).toList(),
            withZones ? zoneUses() : List.of(), copies,
            new NodeStatus.Room(config.memoryLimitBytes(), memory().usedBytes(), 2 * config.zoneBytesMax()));
    }

    /** Adds the figures of now. */
    void figures(NodeFigures.Builder to) {
        final StoreStats memory = memory();
        final PeerFigures peer = figures(false, List.of());
        final long owned = tables().zones().stream().filter(row -> core.served(row.zone()) != null).count();
        to.set(Figure.STORE_MAX, memory.limitBytes()).set(Figure.STORE_COMMITTED, memory.committedBytes())
            .set(Figure.STORE_USED, memory.usedBytes()).set(Figure.STORE_PAYLOAD, memory.payloadBytes())
            .set(Figure.STORE_CHUNKS, memory.chunks()).set(Figure.ZONES_OWNED, owned)
            .set(Figure.ZONES_COPIED, peer.logging().copies()).set(Figure.CHANGES_LOGGED, peer.logging().bytes())
            .set(Figure.RING_SIZE, peer.ring().bytes()).set(Figure.RING_USED, peer.ring().usedBytes())
            .set(Figure.RING_WAITS, peer.ring().waits()).set(Figure.CHANGES_REFUSED, peer.ring().changesRefused())
            .set(Figure.CHANGES_BEHIND, peer.shipping().changesBehind())
            .set(Figure.ANSWERS_WAITING, peer.shipping().answersWaiting())
            .set(Figure.CHANGES_SHIPPED, peer.ring().shippedBytes())
            .set(Figure.TABLE_VERSION, tables().version())
            .set(Figure.LEASE_LEFT, TimeUnit.NANOSECONDS.toMillis(core.membership().leaseLeftNs()));
        times.read(to);
        NetworkFigures.read(network.stats(), to);
    }

    /** Returns why zones to be restored by the peer are not in memory, in sentences. */
    List<String> problems() {
        return core.zones().problems();
    }
}
