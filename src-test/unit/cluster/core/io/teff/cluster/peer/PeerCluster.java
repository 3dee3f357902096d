package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.log.LoggedLines;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.superpeer.MemoryLogs;
import io.teff.cluster.superpeer.Superpeer;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A superpeer and peers inside this process. */
final class PeerCluster implements AutoCloseable {
    /** Longer than any machine stops or starves a thread: a peer that is only slow must not expire. */
    static final LeaseTerms TERMS = new LeaseTerms(60_000_000_000L, 10);
    /** For peers whose leases run out: a machine that is busy with other things does not starve a thread so long. */
    static final LeaseTerms BRIEF_TERMS = new LeaseTerms(4_000_000_000L, 10);
    private static final long LIMIT_S = 60;

    private final LoggedLines lines = new LoggedLines();
    private final LeaseTerms terms;
    private final String name;
    private final Path folder;
    private final int backups;
    private final boolean isRebuilding;
    private SuperpeerLog log;
    private Superpeer superpeer;
    private final Map<Integer, Peer> peers = new ConcurrentHashMap<>();

    PeerCluster(String name, Path folder, int backups) throws IOException {
        this(name, folder, backups, TERMS);
    }

    PeerCluster(String name, Path folder, int backups, LeaseTerms terms) throws IOException {
        this(name, folder, backups, terms, false);
    }

    private PeerCluster(String name, Path folder, int backups, LeaseTerms terms, boolean isRebuilding)
            throws IOException {
        this.isRebuilding = isRebuilding;
        this.terms = terms;
        this.name = name;
        this.folder = folder;
        this.backups = backups;
        log = MemoryLogs.member(new MachineState.Settings(1, backups));
        Starts.CLUSTER.count();
        superpeer = startSuperpeer();
    }

    /** Returns a cluster whose metadata are to be made from the folders of peers. */
    static PeerCluster rebuilding(String name, Path folder, int backups) throws IOException {
        return new PeerCluster(name, folder, backups, TERMS, true);
    }

    private Superpeer startSuperpeer() throws IOException {
        LeapingClock clock = new LeapingClock();
        Superpeer started = Superpeer.start(0, "", NetworkConfig.builder(CellMessages.nid(0)).listen(superpeerAddress())
            .addresses(_ -> null).handlerThreads(2).build(), log, terms,
            Platform.SYSTEM.withClock(clock), isRebuilding, _ -> { }, NodeLog.NONE);
        clock.leap(terms.promisedNs());                         // no peer has a promise of an earlier life
        return started;
    }

    /** Ends the superpeer, and starts that of another cluster at its address. */
    void replaceSuperpeer() throws IOException {
        superpeer.close();
        log = MemoryLogs.member(new MachineState.Settings(1, backups));
        superpeer = startSuperpeer();
    }

    ClusterId id() {
        await(() -> superpeer.cluster().isKnown(), () -> "the cluster is not founded");
        return superpeer.cluster();
    }

    ClientConfig client() {
        return ClientConfig.builder(superpeerAddress()).build();
    }

    ClusterStore connect() {
        return ClusterStore.connect(superpeerAddress());
    }

    /** The clock of this JVM, which a test can put forward: a superpeer is silent for a term after its start. */
    private static final class LeapingClock implements Clock {
        private final AtomicLong leaptNs = new AtomicLong();

        @Override
        public long nowNs() {
            return System.nanoTime() + leaptNs.get();
        }

        private void leap(long ns) {
            leaptNs.addAndGet(ns);
        }
    }

    private String superpeerAddress() {
        return "loop:" + name + "-superpeer";
    }

    /** Returns what the peers have logged. */
    LoggedLines lines() {
        return lines;
    }

    PeerConfig config(int number) {
        return PeerConfig.of(folder.resolve("peer-" + number), "loop:" + name + '-' + number,
            List.of(superpeerAddress())).withTerms(terms).withBytes(256 << 20, 8 << 20, 16 << 20)
            .withZones(6, 2, 200_000_000L).withLog(lines.log());
    }

    Peer start(int number) throws IOException {
        return start(number, Peer.start(config(number)));
    }

    Peer start(int number, PeerConfig config, CopyLog log) throws IOException {
        return start(number, config, () -> { }, log);
    }

    /** Starts a peer with a log of the test; {@code opened} is closed with the peer. */
    Peer start(int number, PeerConfig config, AutoCloseable opened, CopyLog log) throws IOException {
        return start(number, Peer.start(config, NodeFolder.open(config.platform(), config.folder()), opened, log));
    }

    Peer start(int number, Peer peer) {
        peers.put(number, peer);
        return peer;
    }

    /** Ends a peer without a word: its lease runs out, which brief terms have soon. */
    void kill(int number) throws IOException {
        peers.remove(number).kill();
    }

    /** Ends a peer without a word of its own; another process attests its death. */
    void killAttested(int number) throws IOException {
        NodeRef node = peers.get(number).node();
        kill(number);
        propose(new Command.Ended(node));
    }

    Peer peer(int number) {
        return peers.get(number);
    }

    /** Returns the number of a peer. */
    int numberOf(Peer peer) {
        return peers.entrySet().stream().filter(entry -> entry.getValue() == peer).findFirst().orElseThrow().getKey();
    }

    List<Peer> peers() {
        return new ArrayList<>(peers.values());
    }

    <T> T read(Function<MetadataMachine, T> reader) {
        return log.read(reader);
    }

    List<ZoneRow> rows() {
        return log.read(machine -> machine.zonesSince(-1));
    }

    /** Waits until all zones have an owner that serves them, and at least a number of them. */
    void awaitServed(int zonesMin) {
        await(() -> {
            List<ZoneRow> rows = rows();
            return rows.size() >= zonesMin && rows.stream().allMatch(row -> host(row) != null);
        }, () -> "zones " + rows());
    }

    /** Returns the peer that serves a zone, or null. */
    @Nullable Peer host(ZoneRow row) {
        for (Peer peer : peers.values()) {
            if (row.state().isServed() && peer.node().equals(row.owner()) && peer.host().serving(row.zone()) != null) {
                return peer;
            }
        }
        return null;
    }

    Peer owner(int zone) {
        Peer[] found = new Peer[1];
        await(() -> {
            ZoneRow row = log.read(machine -> machine.zone(zone));
            found[0] = row == null ? null : host(row);
            return found[0] != null;
        }, () -> "zone " + zone + ' ' + log.read(machine -> machine.zone(zone)));
        return found[0];
    }

    /** Creates a chunk in a zone, and waits until it is acknowledged. */
    long create(int zone, byte[] content) {
        long[] cid = new long[1];
        Threads.await("a create", () -> {
            Peer peer = owner(zone);
            try {
                cid[0] = store(peer, zone).create(content);
                assertTrue(cid[0] > 0, "created " + cid[0]);
                Verdict verdict = afterChange(peer, zone, WriteLevel.BACKED);
                assertTrue(verdict == Verdict.SERVED || verdict == Verdict.DEPOSED, verdict::name);
                return verdict == Verdict.SERVED;               // the lease of an owner may end on a busy machine
            } catch (StoreException e) {
                assertTrue(PeerBusy.is(e), e::toString);
                return false;
            }
        });
        return cid[0];
    }

    /** Changes a chunk, repeatedly if need be. */
    void put(long cid, byte[] content) {
        Threads.await("a put", () -> tryPut(cid, content));
    }

    /** Changes a chunk once; returns whether it was acknowledged. If not, it has happened or not. */
    boolean tryPut(long cid, byte[] content) {
        return change(cid, store -> assertEquals(0, store.put(cid, content)));
    }

    /** Removes a chunk. */
    void remove(long cid) {
        Threads.await("a remove", () -> change(cid, store -> store.remove(cid)));
    }

    private boolean change(long cid, Consumer<ChunkStore> change) {
        int zone = (int) (cid >>> 48);
        Peer peer = owner(zone);
        ZoneHost host = peer.host();
        ChunkStore store = host.serving(zone);
        if (store == null) {
            return false;
        }
        try {
            change.accept(store);
        } catch (StoreException e) {
            return false;                                       // busy, or closed as the peer was killed
        }
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        host.afterChange(zone, 0, WriteLevel.BACKED, verdict::complete);
        return get(verdict) == Verdict.SERVED;
    }

    /** Has the superpeer apply a command. */
    void propose(Command command) {
        assertEquals(new CommandReply.Done(), log.propose(command).join());
    }

    /** Has the superpeer apply a command, and returns its reply. */
    CommandReply reply(Command command) {
        return log.propose(command).join();
    }

    /** Has a life join that sends nothing. */
    NodeRef join(Command.Join join) {
        return ((CommandReply.Joined) log.propose(join).join()).node();
    }

    /** Ends a peer in order. */
    void stop(int number) throws IOException {
        peers.remove(number).close();
    }

    static ChunkStore store(Peer peer, int zone) {
        ChunkStore store = peer.host().serving(zone);
        assertNotNull(store, "zone " + zone + " is served by " + peer.node());
        return store;
    }

    static Verdict afterChange(Peer peer, int zone, WriteLevel level) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        peer.host().afterChange(zone, 0, level, verdict::complete);
        return get(verdict);
    }

    static Verdict afterRead(Peer peer, long cid) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        peer.host().afterRead((int) (cid >>> 48), cid, verdict::complete);
        return get(verdict);
    }

    static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(LIMIT_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + LIMIT_S + " s", e);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Reads a chunk at the owner of its zone, whoever that is then. */
    byte @Nullable [] read(long cid) {
        int zone = (int) (cid >>> 48);
        while (true) {
            Peer peer = owner(zone);
            ChunkStore store = peer.host().serving(zone);
            if (store == null) {
                continue;
            }
            byte[] content = store.chunks().get(cid).orElse(null);
            if (afterRead(peer, cid) == Verdict.SERVED) {
                return content;
            }
        }
    }

    boolean isNamed(NodeRef node) {
        return rows().stream().anyMatch(row -> row.isOwnedBy(node) || row.hasBackup(node));
    }

    boolean isSettled() {
        return rows().stream().allMatch(row -> row.state() == ZoneState.OPEN || row.state() == ZoneState.FULL);
    }

    static void await(BooleanSupplier condition, Supplier<String> what) {
        Threads.await(LIMIT_S, what, condition);
    }

    @Override
    public void close() throws IOException {
        for (Peer peer : peers.values()) {
            peer.kill();
        }
        superpeer.close();
    }
}
