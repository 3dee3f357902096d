package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.operation.OperationService;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.zone.ZoneStats;
import io.teff.engine.zone.Zones;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One life of a peer, from its join to its end: its store, its network, its threads, and the parts that work with them.
 * Thread-safe.
 *
 * <p>The log outlives it. Everything else begins anew with the next life, because what an expired life holds is
 * worthless.
 */
final class PeerLife implements NetworkListener, AutoCloseable {
    private static final long WINDOW_BYTES = 8 << 20;

    private final PeerConfig config;
    private final NodeRef node;
    private final Store store;
    private final RestorePool pool;
    private final PeerCore core;
    private final Network network;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private PeerLife(PeerConfig config, NodeRef node, Joining joining, CopyLog log, Runnable ended,
                     Consumer<Network> handlers) throws IOException {
        this.config = config;
        this.node = node;
        final ShipRing ring = new ShipRing(config.ringBytes(), config.platform().clock());
        // creator 0 is no zone: the store's own ids are never used
        store = JournaledStores.open(Store.class, StoreConfig.builder().name("peer-" + node.nid()).nid(0)
            .memoryLimitBytes(config.memoryLimitBytes()).build(), ring, _ -> { });
        pool = new RestorePool(node.nid(), config.restoreThreads(), config.platform().threads());
        final PeerNetwork link = new PeerNetwork();
        core = new PeerCore(new PeerCore.Ground(config, node, log, link, link, pool, ring, Zones.of(store), ended));
        network = Network.open(networkConfig(joining), it -> {
            link.opened(it);
            core.traffic().register(it, core.backups(), core.shipper());
            new OperationService(core.host()).register(it);
            handlers.accept(it);
        });
    }

    /**
     * Joins and begins a life.
     *
     * @param ended called when this life has ended by itself, on a thread that must not wait
     * @param handlers registers further handlers with the life's network
     */
    static PeerLife begin(PeerConfig config, NodeFolder folder, CopyLog log, Runnable ended,
                          Consumer<Network> handlers) throws IOException {
        final Joining joining = new Joining(config);
        final NodeRef node = joining.join(new Command.Join(folder.id(), config.platform().chance().nextLong(),
            config.address(), Roles.PEER));
        final PeerLife life = new PeerLife(config, node, joining, log, ended, handlers);
        life.core.start();
        return life;
    }

    private NetworkConfig networkConfig(Joining joining) {
        return NetworkConfig.builder(node.nid()).listen(config.listen()).secret(config.secret())
            .handlerThreads(config.handlerThreads()).windowBytes(WINDOW_BYTES).listener(this)
            .addresses(nid -> {
                final String superpeer = joining.superpeer(nid);
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

    Tables tables() {
        return core.tables();
    }

    boolean holdsLease() {
        return core.membership().holdsLease();
    }

    @Override
    public void lost(int nid, long messages, String why) {
        core.shipper().lost(nid);
    }

    // ---- the end ----

    /** Reports the end of this life, so that its zones are restored before its lease is over. */
    void leave() {
        core.membership().close();                              // nothing is served from here on
        final var _ = core.sendEnded().join();
    }

    /** Ends without a word, as a process that is killed. Idempotent. */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            core.membership().close();
            core.zones().close();
            network.close();
            core.shipper().close();
            pool.close();
            store.close();
        }
    }

    /** Returns what the zones hold that this life serves. */
    List<NodeStatus.ZoneUse> zoneUses() {
        final Zones all = Zones.of(store);
        return tables().zones().stream().filter(row -> core.served(row.zone()) != null).map(row -> {
            final ZoneStats stats = all.stats(row.zone());
            return new NodeStatus.ZoneUse(row.zone(), stats.chunks(), stats.payloadBytes());
        }).toList();
    }

    /** Returns the numbers of now. */
    PeerStats stats() {
        final ShipRing ring = core.ring();
        final Shipper shipper = core.shipper();
        return new PeerStats(node, holdsLease(), core.zones().servedCount(), store.stats(), ring.usedBytes(),
            ring.capacity(), shipper.drainedBytes(), shipper.keptBytes(), shipper.lag(), shipper.waiting(),
            ring.refusals(), ring.roomWaits(), ring.abandonedCount(), shipper.stalls(), core.backups().numbers(),
            core.zones().times());
    }
}
