package io.teff.cluster.peer;

import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.Cid;
import io.teff.recovery.backup.ZoneCopy;
import io.teff.test.kit.Starts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of a whole cluster in virtual time: superpeers, peers and clients, each with a clock of its own; faults; then
 * a time without any, at whose end everything must be in order.
 *
 * <p>What is real: the metadata machine, leases and promises, the duty cycles of superpeers and peers, ring, shipper,
 * backups, recovery, execution of operations. Models: network, replicated log, logs on disks, the chunks in memory, and
 * the client, which has the rules of the real one. In place of the model of the network a run may have real networks
 * over simulated links: {@link NetworkWire}.
 *
 * <p>Oracles: at most one peer serves a zone at a time; a life that has expired holds no lease; epochs rise, and all
 * superpeers have the same rows; a number of a zone names one change; the history of each chunk is linearizable, so
 * nothing that was acknowledged or read is lost; each call ends; after the faults each zone is served or lost, its
 * chunks can be read, and each backup has what the owner has.
 */
final class ClusterSimulation {
    private static final long WARM_NS = 1_500 * SimWorld.MS;
    private static final long FAULTS_NS = TimeUnit.SECONDS.toNanos(4);
    private static final long QUIET_NS_MAX = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NS = 20 * SimWorld.MS;
    private static final int PEERS_MIN = 3;
    /** With more peers the simulation looks less often whether everything is in order. */
    private static final int PEERS_OF_A_LOOK = 20;

    private final String reproduce;
    private final SimWorld world;
    private final SplittableRandom random;
    private final Histories histories = new Histories();
    private final LockHistory locks = new LockHistory();
    private final SimCell cell;
    private final List<SimPeer> peers = new ArrayList<>();
    private final List<SimClient> clients = new ArrayList<>();
    private final Map<Change, Integer> changes = new HashMap<>();
    private final int backups;
    private final int scatterWidth;
    /** Whether the run ends only when all zones have all backups again, which takes long. */
    private final boolean isRefilled;
    private final SimFaults faults;
    private final boolean canPeersFail;
    private final boolean hasMaps;
    private final WatchHistory events = new WatchHistory();
    private final boolean hasCollections;
    /** Whether clients use a sorted map in ranges. */
    private final boolean hasRanges;
    private final SimObjects objects = new SimObjects();
    private long nextLookNs;
    /** The zones that several peers have begun to serve, when the peers had changed what they serve this many times. */
    private final BitSet doubled = new BitSet();
    private long servedChanges;
    private @Nullable NetworkWire networks;

    /** A number of a zone. */
    private record Change(int zone, long number) {}

    ClusterSimulation(long seed, Mix mix, Plant plant) {
        this(seed, mix, plant, SimParts.MODELS, "ClusterSimulationTest");
    }

    /**
     * Makes it.
     *
     * @param parts makes the parts of peers
     * @param test name of the test class that repeats a seed of this mix
     */
    ClusterSimulation(long seed, Mix mix, Plant plant, SimParts parts, String test) {
        this(seed, mix, plant, parts, test, false);
    }

    /** Returns one in which superpeers agree by the real consensus. */
    static ClusterSimulation withConsensus(long seed, Mix mix) {
        return new ClusterSimulation(seed, mix, new Plant(), SimParts.MODELS, "ConsensusSimulationTest", true);
    }

    private ClusterSimulation(long seed, Mix mix, Plant plant, SimParts parts, String test, boolean isReal) {
        reproduce = "reproduce: TEFF_JAVA_OPTS=-Dseed=" + seed + " ./teff test --fast " + test + " (" + mix + ')';
        Starts.SEED.count();
        world = new SimWorld(seed);
        random = world.random;
        LeaseTerms terms = new LeaseTerms(random.nextBoolean() ? 500 * SimWorld.MS : 1_000 * SimWorld.MS, 10);
        int superpeers = mix.superpeers(random);
        backups = random.nextInt(4) == 0 ? 1 : 2;
        isRefilled = mix.isRefilled(random);
        scatterWidth = mix.scatterWidth();
        cell = new SimCell(world, superpeers, backups, scatterWidth, terms, plant, this::wasCut, locks::sessionEnded,
            isReal);
        SimPeer.Observer observer = new SimPeer.Observer() {
            @Override
            public void added(ZoneCopy copy, long last, long number, byte[] record) {
                ClusterSimulation.this.added(copy, last, number, record);
            }

            @Override
            public void served(SimPeer peer, int zone) {
                ClusterSimulation.this.served(peer, zone);
            }

            @Override
            public void left(SimPeer peer) {
                faults.left(peer);
            }

            @Override
            public SuperpeerSet superpeers() {
                return cell.superpeers();
            }
        };
        int drawn = PEERS_MIN + Math.min(random.nextInt(4), random.nextInt(3));
        int racks = mix.racks(backups);
        int count = racks == 0 ? drawn : mix.peersOfARack() * racks;
        for (int i = 0; i < count; i++) {
            peers.add(new SimPeer(world, i, superpeers, backups, terms, observer, plant, parts)
                .inRack(racks == 0 ? "" : "rack-" + i % racks));
        }
        int users = 1 + random.nextInt(3);
        for (int i = 0; i < users; i++) {
            clients.add(new SimClient(world, i, superpeers, histories, locks, mix.load(), mix.hasMaps()));
        }
        hasCollections = mix.hasCollections();
        hasRanges = mix.hasRanges();
        SimHolds holds = new SimHolds(world, plant);
        clients.forEach(client -> {
            if (hasCollections) {
                client.withCollections(objects);
            } else if (hasRanges) {
                client.withRanges(objects);
            } else if (mix.hasServices()) {
                client.withServices(objects, holds);
            }
        });
        faults = new SimFaults(world, cell, peers, mix.faults(random), backups);
        if (mix.hasNearCaches()) {
            clients.forEach(client -> client.withNearCaches(plant));
        }
        if (mix.isWatched()) {
            clients.forEach(client -> client.watch(events));
        }
        canPeersFail = mix.hasFailures();
        hasMaps = mix.hasMaps();
        if (!canPeersFail) {
            world.withoutStops();
        }
        world.oracle(this::look);
    }

    /** Returns one in which all messages travel by real networks. */
    static ClusterSimulation withNetworks(long seed, Mix mix, Plant plant) {
        ClusterSimulation made = new ClusterSimulation(seed, mix, plant, SimParts.MODELS, "MessagingSimulationTest");
        made.networks = new NetworkWire(made.world, plant, seed, mix.hasFailures());
        made.world.wire(made.networks);
        return made;
    }

    /** Runs the whole history. Throws an {@link AssertionError} whose first line repeats it. */
    void run() {
        try {
            try {
                play();
            } finally {
                world.wire().close();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(reproduce + "\n" + e + "\n" + world.told(), e);
        } finally {
            peers.forEach(SimPeer::free);
        }
    }

    private void play() {
        cell.start();
        peers.forEach(SimPeer::start);
        clients.forEach(SimClient::start);
        world.run(world.nowNs() + WARM_NS, () -> false);
        long endOfFaults = world.nowNs() + FAULTS_NS;
        faults.begin(endOfFaults);
        world.wire().beginFaults();
        world.run(endOfFaults, () -> false);
        faults.heal();
        clients.forEach(SimClient::stop);
        long end = world.nowNs() + QUIET_NS_MAX;
        awaitQuiet(end);
        readAll();
        awaitQuiet(world.nowNs() + QUIET_NS_MAX);
        checkWatchers();
        checkContents();
        checkLost();
        histories.check();
        objects.check();
        locks.check();
        checkMembers();
        checkNumberOfZones();
        for (SimPeer peer : peers) {
            check(canPeersFail || peer.lives() == 1, peer + " has not failed, and its life has expired");
        }
    }

    private void awaitQuiet(long endNs) {
        boolean isQuiet = world.run(endNs, this::isQuiet);
        check(isQuiet, "not in order long after the faults: " + disorder());
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    // ---- at each moment ----

    /** The numbers of a copy rise, and the counters by one; a number names one change in all logs. */
    private void added(ZoneCopy copy, long last, long number, byte[] record) {
        if (Long.compareUnsigned(number, last) <= 0
            || last != 0 && ZoneNumber.counter(number) != ZoneNumber.counter(last) + 1) {
            world.fail(copy + " gets " + ZoneNumber.text(number) + " after " + ZoneNumber.text(last));
        }
        Integer known = changes.putIfAbsent(new Change(copy.zone(), number), Arrays.hashCode(record));
        if (known != null && known != Arrays.hashCode(record)) {
            world.fail("two changes of zone " + copy.zone() + " have the number " + ZoneNumber.text(number));
        }
    }

    /** A zone that a power cut has shortened is served again, with what is left of it. */
    private void served(SimPeer peer, int zone) {
        long sinceNs = cell.servedAfterCut(zone);
        if (sinceNs >= 0) {
            world.tell("zone " + zone + " is served with what a power cut has left of it");
            histories.rolledBack(zone, sinceNs, world.nowNs(), peer.values(zone));
            locks.rolledBack(zone, sinceNs, world.nowNs());
        }
    }

    private boolean wasCut(int zone, Backup copy) {
        return world.node(copy.node().nid()) instanceof SimPeer peer
            && peer.disk().wasCut(new ZoneCopy(zone, copy.copy()));
    }

    private void look() {
        long changes = 0;
        for (SimPeer peer : peers) {
            changes += peer.servedChanges();
        }
        if (changes != servedChanges) {
            servedChanges = changes;
            findDoubled();
        }
        doubled.stream().forEach(this::checkOneOwner);
        if (!cell.expired().isEmpty()) {
            for (SimPeer peer : peers) {
                NodeRef life = peer.lastLife();
                if (life != null && cell.expired().contains(life) && peer.holdsLease(life)) {
                    world.fail(life + " holds a lease after its expiry");
                }
            }
        }
    }

    private void findDoubled() {
        doubled.clear();
        BitSet seen = new BitSet();
        for (SimPeer peer : peers) {
            BitSet both = (BitSet) seen.clone();
            both.and(peer.served());
            doubled.or(both);
            seen.or(peer.served());
        }
    }

    private void checkOneOwner(int zone) {
        List<SimPeer> serving = peers.stream().filter(peer -> peer.isServing(zone)).toList();
        if (serving.size() > 1) {
            world.fail("zone " + zone + " is served by " + serving);
        }
    }

    // ---- at the end ----

    private boolean isQuiet() {
        if (world.nowNs() < nextLookNs) {
            return false;
        }
        nextLookNs = world.nowNs() + LOOK_NS * Math.max(1, peers.size() / PEERS_OF_A_LOOK);
        giveUpLostDisks();
        faults.letBe();
        peers.stream().filter(this::knowsNoSuperpeer).forEach(peer -> {
            world.tell("a person starts " + peer + " with the present superpeers");
            peer.kill(false);
            peer.start();
        });
        return disorder().isEmpty();
    }

    /** Returns whether all superpeers that a peer knows were removed, while the peer was cut off or asleep. */
    private boolean knowsNoSuperpeer(SimPeer peer) {
        return peer.isUp && peer.core() != null && peer.core().tables().superpeers().rows().stream()
            .allMatch(row -> cell.superpeers().row(row.number()) == null);
    }

    /** A person gives up the copies that were on disks which are lost. */
    private void giveUpLostDisks() {
        for (ZoneRow row : cell.rows()) {
            if (row.state() == ZoneState.WAITING && (row.backups().isEmpty() || !row.kept().isEmpty())
                && row.kept().stream().noneMatch(copy -> isThere(copy.node().nid()))) {
                cell.members().forEach(member -> {
                    var _ = cell.log(member).propose(new Command.AcceptLoss(row.zone(), row.epoch(), 0, 0));
                });
            }
        }
    }

    private boolean isThere(int nid) {
        return peers.stream().map(SimPeer::lastLife).anyMatch(life -> life == null || life.nid() == nid);
    }

    /** Returns what is not in order yet. */
    private String disorder() {
        for (SimClient client : clients) {
            if (client.open() > 0) {
                return client + " has " + client.open() + " open calls";
            }
        }
        for (SimPeer peer : peers) {
            PeerCore core = peer.core();
            if (core == null || !core.membership().holdsLease()) {
                return peer + " does not live";
            }
            if (peer.copies().failure() != null) {
                return peer + " has not noticed that its log has failed";
            }
            if (core.shipper().lag() > 0 || core.shipper().waiting() > 0) {
                return peer + " has " + core.shipper().waiting() + " answers that wait";
            }
        }
        for (NodeRow node : cell.nodes()) {
            ZoneRow held = node.isUnloaded() ? held(node.reference()) : null;
            if (held != null) {
                return node + " is unloaded, and " + held;
            }
        }
        if (cell.superpeers().isChanging()) {
            return cell.superpeers().toString();
        }
        for (ZoneRow row : cell.rows()) {
            if (row.state() != ZoneState.LOST && (!row.state().isServed() || owner(row) == null
                || isRefilled && row.backups().size() < backups || !row.backups().stream().allMatch(this::lives))) {
                return row.toString();
            }
            int held = locks(row);
            if (held > 0) {
                return "zone " + row.zone() + " has " + held + " locks of clients that have none";
            }
        }
        return "";
    }

    /** Returns a zone that a peer owns or backs up; null for none. */
    private @Nullable ZoneRow held(NodeRef node) {
        return cell.rows().stream().filter(row -> row.isOwnedBy(node) || row.hasBackup(node)).findFirst().orElse(null);
    }

    private boolean lives(Backup backup) {
        SimNode node = world.node(backup.node().nid());
        return node instanceof SimPeer peer && peer.core() != null && peer.core().node().equals(backup.node());
    }

    private @Nullable SimPeer owner(ZoneRow row) {
        NodeRef owner = row.owner();
        SimNode node = owner == null ? null : world.node(owner.nid());
        return node instanceof SimPeer peer && peer.core() != null && row.isOwnedBy(peer.core().node())
            && peer.isServing(row.zone()) ? peer : null;
    }

    /** Returns the number of locks that the owner of a zone has. */
    private int locks(ZoneRow row) {
        SimPeer owner = row.state() == ZoneState.LOST ? null : owner(row);
        PeerCore core = owner == null ? null : owner.core();
        SlotTable slots = core == null ? null : core.slots(row.zone());
        return slots == null ? 0 : slots.locks().size();
    }

    private boolean isLost(int zone) {
        return cell.rows().stream().noneMatch(row -> row.zone() == zone && row.state() != ZoneState.LOST);
    }

    private void readAll() {
        SimClient client = clients.getFirst();
        List<Long> left = new ArrayList<>();
        for (long cid : histories.cids()) {
            if (!isLost(Cid.nid(cid))) {
                left.add(cid);
            }
        }
        // an owner that a fault has stopped may be given up only now
        left.forEach(cid -> client.read(cid, isDone -> check(isDone || isLost(Cid.nid(cid)), "chunk "
            + Cid.toString(cid) + " cannot be read after the faults")));
        check(world.run(world.nowNs() + QUIET_NS_MAX, () -> client.open() == 0), "reads do not end");
    }

    /** Each watcher sees the rest of the events, and has then seen the last change of each key. */
    private void checkWatchers() {
        List<SimWatcher> watchers = clients.stream().flatMap(client -> client.watchers().stream())
            .filter(watcher -> !isLost(watcher.zone())).toList();
        watchers.forEach(SimWatcher::beginEnd);
        check(world.run(world.nowNs() + QUIET_NS_MAX, () -> watchers.stream().allMatch(SimWatcher::hasSeenAll)),
            "watchers do not end");
        for (ZoneRow row : cell.rows()) {
            if (row.state() != ZoneState.LOST) {
                Map<Long, Long> entries = Objects.requireNonNull(owner(row)).entries(row.zone());
                watchers.stream().filter(watcher -> watcher.zone() == row.zone()).forEach(watcher ->
                    check(watcher.isOf(entries), watcher + " has seen " + watcher.seen() + ", and the map is "
                        + entries));
            }
        }
    }

    /** Returns how many reads had a copy of a near cache. */
    long hits() {
        return clients.stream().mapToLong(SimClient::hits).sum();
    }

    /** Returns how many slices of ranges clients have moved. */
    long slices() {
        return clients.stream().mapToLong(SimClient::slices).sum();
    }

    /** Returns how many events watchers have seen. */
    long events() {
        return events.count();
    }

    /** Compares the chunks in the memory of each owner with those in the logs of its backups. */
    private void checkContents() {
        for (ZoneRow row : cell.rows()) {
            if (row.state() == ZoneState.LOST) {
                continue;
            }
            SimPeer owner = Objects.requireNonNull(owner(row));
            if (hasMaps) {
                histories.queue(row.zone()).check("zone " + row.zone(), owner.entries(row.zone()));
            }
            if (hasCollections) {
                noteContents(row.zone(), owner);
            }
            for (Backup backup : row.backups()) {
                SimPeer peer = (SimPeer) world.node(backup.node().nid());
                ZoneCopy copy = new ZoneCopy(row.zone(), backup.copy());
                Map<Long, Long> logged = new TreeMap<>();
                Map<Long, Long> owned = new TreeMap<>(owner.values(row.zone()));
                if (peer.copies().logged(copy) != 0) {
                    peer.copies().read(copy, 1, new ModelZones.Collector(logged));
                }
                if (hasMaps || hasCollections || hasRanges) {
                    // If the first owner has failed before it made the pair, a map may have buckets at these places.
                    logged.entrySet().removeIf(it -> !RealStore.isOfPair(it.getKey()) || it.getValue() != 0);
                    owned.values().removeIf(value -> value != 0);
                    Map<Long, Long> entries = RealStore.entries(peer.copies(), copy);
                    check(entries.equals(owner.entries(row.zone())), "zone " + row.zone() + ": the map of " + owner
                        + " has " + owner.entries(row.zone()) + ", and that of " + backup + " has " + entries);
                }
                if (hasMaps || hasCollections || hasRanges) {   // an empty zone may give the CIDs of the pair to others
                    logged.keySet().retainAll(owned.keySet());
                }
                check(logged.equals(owned), "zone " + row.zone() + ": " + owner + " has " + owned + ", "
                    + backup + " of " + peer + " has " + logged + " up to "
                    + ZoneNumber.text(peer.copies().logged(copy)));
            }
        }
    }

    /** Adds what the owner of a zone has to the histories of its queue and list. */
    private void noteContents(int zone, SimPeer owner) {
        Map<Long, Long> entries = owner.entries(zone);
        objects.content(SimCollections.QUEUE + ' ' + zone, from(entries, SimOperation.QUEUE_INDEX), world.nowNs());
        objects.content(SimCollections.LIST + ' ' + zone, from(entries, RealStore.LIST_INDEX), world.nowNs());
    }

    private static List<Long> from(Map<Long, Long> entries, long index) {
        List<Long> elements = new ArrayList<>();
        for (long next = index; entries.containsKey(next); next++) {
            elements.add(entries.get(next));
        }
        return elements;
    }

    /** A zone with backups is lost only if its copies were on disks that are lost or damaged. */
    private void checkLost() {
        if (!faults.haveLostCopies()) {
            cell.rows().stream().filter(row -> row.state() == ZoneState.LOST).forEach(row ->
                check(!cell.wasBacked(row.zone()), "zone " + row.zone() + " is lost, and all disks are there"));
        }
    }

    private void checkMembers() {
        List<SimSuperpeer> counting = cell.members().stream().filter(member -> cell.superpeers().counts(member.number))
            .toList();
        SimSuperpeer first = counting.getFirst();
        for (SimSuperpeer member : counting) {
            boolean haveSame = member.raft == null ? member.applied == first.applied
                : member.raft().appliedIndex() == first.raft().appliedIndex();
            check(!haveSame || member.tables().equals(first.tables()), member + " and " + first + " differ");
        }
    }

    /** However often peers begin a new life, there are not many more zones than those that live want at one time. */
    private void checkNumberOfZones() {
        long open = cell.rows().stream().filter(row -> row.state() != ZoneState.LOST).count();
        int others = cell.livesMax() - 1;
        long wanted = 2L * (scatterWidth == 0 ? others : Math.min(scatterWidth, others)) * cell.livesMax();
        check(open < 2 * wanted, open + " zones, and the peers want " + wanted);
    }

    // ---- numbers ----

    long trace() {
        return world.trace();
    }

    /** Returns what has happened, as numbers. */
    Summary summary() {
        return new Summary(histories.size() + objects.size(), clients.stream().mapToLong(SimClient::done).sum(),
            clients.stream().mapToLong(SimClient::unknown).sum(),
            clients.stream().mapToLong(SimClient::repeated).sum(),
            clients.stream().mapToLong(SimClient::sessionsLost).sum(),
            clients.stream().mapToLong(SimClient::timedOut).sum(),
            faults.count(), world.stops(), cell.recoveries(), cell.moves(), cell.hindered(), cell.elections(),
            cell.expired().size(), cell.rows().size(),
            cell.rows().stream().filter(row -> row.state() == ZoneState.LOST).count(), world.messages(), locks.size(),
            locks.refused(), histories.groups(), histories.groupsRefused(), histories.rollbacks(),
            faults.failedLogs(), faults.overlaps(), cell.steps(), faults.racksLost());
    }

    /** Returns the number of histories that were too long to be decided. */
    long undecided() {
        return objects.undecided();
    }

    /** Returns what the networks have done; nothing if the run has had none. */
    NetworkWire.Numbers numbers() {
        return networks == null ? NetworkWire.Numbers.NONE : networks.numbers();
    }

    /** What has happened in a run, or in several. */
    record Summary(long operations, long done, long unknown, long repeated, long sessionsLost, long timedOut,
                   long faults, long stops, long recoveries, long moves, long hindered, long elections, long expired,
                   long zones, long lost, long messages, long locks, long locksRefused, long groups,
                   long groupsRefused, long rollbacks, long failedLogs, long overlaps, long superpeerSteps,
                   long racksLost) {
        static final Summary NONE = new Summary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0);

        Summary plus(Summary it) {
            return new Summary(operations + it.operations, done + it.done, unknown + it.unknown,
                repeated + it.repeated, sessionsLost + it.sessionsLost,
                timedOut + it.timedOut, faults + it.faults, stops + it.stops, recoveries + it.recoveries,
                moves + it.moves, hindered + it.hindered,
                elections + it.elections, expired + it.expired, zones + it.zones, lost + it.lost,
                messages + it.messages, locks + it.locks, locksRefused + it.locksRefused, groups + it.groups,
                groupsRefused + it.groupsRefused, rollbacks + it.rollbacks,
                failedLogs + it.failedLogs, overlaps + it.overlaps, superpeerSteps + it.superpeerSteps,
                racksLost + it.racksLost);
        }
    }
}
