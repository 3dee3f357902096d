package io.teff.cluster.meta;

import io.teff.cluster.meta.MachineState.Rebuilding;
import io.teff.cluster.meta.MachineState.Settings;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.registry.Registry;
import io.teff.cluster.registry.RegistryState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a cluster as a deterministic state machine: commands in, replies and changed tables out.
 *
 * <p><b>Level-triggered.</b> The machine sends no orders. The tables name the work to do: a node that finds itself a
 * candidate of a zone in state {@link ZoneState#FENCING} fences its copy and reports the copy's last number. A node
 * that finds itself owner of a zone in state {@link ZoneState#RESTORING} restores the zone. A lost message, a restarted
 * superpeer or a new leader therefore need no repair: the next look at the tables repeats the remaining work.
 *
 * <p><b>Expiry.</b> A life of a node expires when a majority of superpeers has voted against this life. A superpeer
 * votes after its own promise to the node has run out. A life also expires when its end is a fact. An expired life
 * never counts again: its zones are recovered, and no configuration includes the life any more.
 *
 * <p><b>Choice of a new owner.</b> An acknowledged change is in all backups of the configuration of its
 * acknowledgement. Each candidate comes from this configuration, and refuses the old epoch before reporting. So every
 * candidate has every acknowledged change. The most advanced candidate is chosen because the most advanced candidate
 * may have more. A candidate without a report may be more advanced than the chosen candidate; such a candidate is left
 * out of the new configuration, because its surplus could contradict changes of the new owner. Until the new owner
 * serves, the left out candidate is a spare: a candidate, if the new owner expires, too.
 *
 * <p>If the chosen candidate lacks memory, or cannot read its copy, the choice starts over with fencing. Hindered
 * candidates are chosen only if all candidates are hindered; then the row has the hindrance. A candidate with a damaged
 * copy is no candidate any more, unless no other candidate exists.
 *
 * <p><b>Cold start.</b> A backup has every change acknowledged before the backup expires, and the disk of the backup
 * keeps these changes. The row keeps the name of such a copy until the owner announces acknowledgements without the
 * copy ({@link Command.DoWithout}): a dead owner never sends the announcement. So if all nodes end, in any order, the
 * rows name all copies with every acknowledged change, and a zone without a candidate waits for one of these copies. A
 * node that returns with such a copy is a candidate again ({@link Command.Returned}). A copy that may have lost its end
 * by a power cut does not suffice alone: the zone waits for all such copies, and the most advanced copy wins.
 *
 * <p><b>The last whole copy.</b> The row of a zone that has ever had a backup always names a copy on a disk with every
 * acknowledged change: a backup, or a kept copy. So an owner whose backups have all ended acknowledges nothing until
 * another node is a backup: {@link Command.DoWithout} is refused. Only a person can end this wait. A zone of a cluster
 * of one peer has no backup from the beginning.
 *
 * <p><b>Outdated copies.</b> Copies that lack later changes stay in the row, at most one of a node, until the zone has
 * all its backups. A node that comes back catches up from such a copy instead of receiving the whole zone.
 *
 * <p><b>Rebuilds.</b> A machine without metadata accepts metadata made by a {@link Rebuild} from the folders of peers.
 * The rebuilt zones wait for the copies that count, as after the end of all nodes.
 *
 * <p><b>New backups.</b> A zone short of a backup gets a learner, if the owner asks. A learner is no candidate: a
 * learner may lack changes from before its beginning. The owner counts the learner as a backup for acknowledgements,
 * and reports when the learner has everything; only then does the machine make the learner a backup.
 *
 * <p><b>Moves.</b> A peer with fewer zones than another peer claims a zone of the other peer: the claiming peer is made
 * a backup, if needed, and the heir of the zone. Then the owner ends serving, and the zone is fenced as after the
 * expiry of an owner, with the heir as the first candidate. So a move is a planned recovery.
 *
 * <p><b>Orders of persons</b> unload peers, move zones, and forget peers: {@link OperatorOrders}.
 *
 * <p><b>The end of the epochs.</b> A zone has at most {@value ZoneRow#EPOCH_LAST} configurations. The last ones are
 * left for failures: a zone with few epochs left gets no new backups, and does not move. In its last configuration a
 * zone stays as it is: a failed backup stays in the row, so changes wait, and reads continue. When the owner expires,
 * the zone is not served any more; the row keeps all copies.
 *
 * <p><b>Sessions</b> of clients have numbers that are never used again, so an owner can tell from the open numbers and
 * the last number which sessions have ended. The machine does not limit the duration of a session.
 *
 * <p><b>Invariants</b>, checked by {@link #audit}: epochs and versions never fall; an owner and its backups live, in
 * the lives named by the row, and are different nodes; a served zone has an owner, a fenced or lost zone has no
 * owner.
 *
 * <p>Not thread-safe.
 */
public final class MetadataMachine {
    /** NIDs below this NID are superpeers. */
    public static final int NID_FIRST = 16;

    /** NIDs from here on belong to clients; a NID of a client may be used again. */
    static final int NID_FIRST_CLIENT = 32_768;

    /** The highest NID ever given. */
    static final int NID_LAST = 61_439;

    /** Most zones of one request. */
    static final int ZONES_PER_REQUEST_MAX = 1_024;

    private static final CommandReply DONE = new CommandReply.Done();
    private static final CommandReply STALE = new CommandReply.Stale();
    private static final CommandReply UNFINISHED =
        new CommandReply.Refused("the metadata are being rebuilt, and not complete", false);

    private Settings settings;
    private long version;
    private int nextZone;
    /** The lowest NID for a new peer, if a rebuild has skipped some; else 0. */
    private int nextNid;
    private final TreeMap<Integer, NodeRow> nodes = new TreeMap<>();
    private final TreeMap<Integer, ZoneRow> zones = new TreeMap<>();
    private SuperpeerTable superpeers;
    private final Map<UUID, Integer> nidOfFolder = new HashMap<>();
    private final SessionTable sessions;
    private @Nullable Rebuilding rebuilding;
    private ClusterId cluster;
    private Registry registry;
    private final Copysets copysets = new Copysets();

    /**
     * Creates a machine in a state.
     *
     * @param state a new cluster's, or a snapshot's
     */
    public MetadataMachine(MachineState state) {
        settings = state.settings();
        version = state.version();
        nextZone = state.nextZone();
        nextNid = state.nextNid();
        superpeers = new SuperpeerTable(state);
        for (NodeRow row : state.nodes()) {
            nodes.put(row.nid(), row);
            nidOfFolder.put(row.folder(), row.nid());
        }
        state.zones().forEach(this::put);
        sessions = new SessionTable(state.sessionsVersion(), state.lastSession(), state.sessions());
        rebuilding = state.rebuilding();
        cluster = state.cluster();
        registry = new Registry(state.registry());
    }

    /** {@return the identity of the cluster; unknown until the cluster is founded} */
    public ClusterId cluster() {
        return cluster;
    }

    /** {@return the superpeers of the cluster} */
    public SuperpeerSet superpeers() {
        return superpeers.set();
    }

    /**
     * {@return the superpeers of the cluster, or null without a change after a version}
     *
     * @param since the version
     */
    public @Nullable SuperpeerSet superpeersSince(long since) {
        return superpeers.set().version() <= since ? null : superpeers.set();
    }

    /** {@return the whole state, for a snapshot} */
    public MachineState state() {
        return new MachineState(settings, version, nextZone, List.copyOf(nodes.values()), List.copyOf(zones.values()),
            superpeers.ballots(), superpeers.lives(), sessions.version(), sessions.last(), sessions.all(),
            rebuilding, nextNid, cluster, superpeers.set(), registry.state());
    }

    /** {@return the settings of the cluster} */
    public Settings settings() {
        return settings;
    }

    /** {@return the registry of services, to be read only} */
    public Registry registry() {
        return registry;
    }

    // ---- the tables ----

    /** {@return the version of the tables: it rises with each change} */
    public long version() {
        return version;
    }

    /**
     * {@return the rows of nodes that have changed after a version}
     *
     * @param since the version
     */
    public List<NodeRow> nodesSince(long since) {
        return nodes.values().stream().filter(row -> row.version() > since).toList();
    }

    /**
     * {@return the rows of zones that have changed after a version}
     *
     * @param since the version
     */
    public List<ZoneRow> zonesSince(long since) {
        return zones.values().stream().filter(row -> row.version() > since).toList();
    }

    /**
     * {@return the sessions of clients, or null if none was opened or has ended after a version}
     *
     * @param since the version
     */
    public @Nullable Sessions sessionsSince(long since) {
        return sessions.version() <= since ? null : new Sessions(sessions.version(), sessions.last() + 1,
            sessions.open());
    }

    /**
     * {@return whether a session has ended}
     *
     * @param session number of the session
     */
    public boolean hasEnded(int session) {
        return sessions.hasEnded(session);
    }

    /** {@return the numbers of the open sessions, in ascending order} */
    public List<Integer> openSessions() {
        return sessions.open();
    }

    /**
     * {@return the row of a zone, or null if it was never given}
     *
     * @param zone id of the zone
     */
    public @Nullable ZoneRow zone(int zone) {
        return zones.get(zone);
    }

    /**
     * {@return whether a life of a node counts}
     *
     * @param node the life
     */
    public boolean isAlive(NodeRef node) {
        NodeRow row = nodes.get(node.nid());
        return row != null && row.lives(node);
    }

    /**
     * {@return whether a life of a node was given, now or earlier}
     *
     * @param node the life
     */
    public boolean isKnown(NodeRef node) {
        NodeRow row = nodes.get(node.nid());
        return row != null && row.incarnation() >= node.incarnation();
    }

    /** {@return whether the metadata were made again from the folders of peers, and are complete} */
    public boolean isRebuilt() {
        return rebuilding != null && !rebuilding.isOpen();
    }

    /** Returns whether the first parts of rebuilt metadata were taken, and the last part was not. */
    private boolean isIncomplete() {
        return rebuilding != null && rebuilding.isOpen();
    }

    /**
     * {@return the life of a superpeer that was announced last, or 0}
     *
     * @param superpeer number of the superpeer, from 0
     */
    public long life(int superpeer) {
        return superpeers.life(superpeer);
    }

    // ---- commands ----

    /**
     * Applies a command.
     *
     * @param command the next command in the agreed order
     * @return reply to the command
     */
    public CommandReply apply(Command command) {
        return switch (command) {
            case Command.Join join -> join(join, "");
            case Command.Ended ended -> ended(ended.node());
            case Command.Begin begin -> begin(begin);
            case Command.SuperpeerLife begun -> superpeers.begin(begun);
            case Command.AddSuperpeer added -> superpeers(next -> superpeers.add(added.address(), next));
            case Command.RemoveSuperpeer removed -> superpeers(next -> superpeers.remove(removed.superpeer(), next));
            case Command.SuperpeerMoved moved -> superpeers(next -> superpeers.moved(moved, next));
            case Command.SuperpeerStands step -> superpeers(next -> superpeers.step(step, next));
            case Command.Vote vote -> vote(vote);
            case Command.NewZones request -> newZones(request);
            case Command.ZoneFull full -> zoneFull(full);
            case Command.BackupFailed failed -> backupFailed(failed);
            case Command.Fenced fenced -> fenced(fenced);
            case Command.Hedge hedge -> hedge(hedge);
            case Command.Owned owned -> owned(owned);
            case Command.AddBackup wanted -> addBackup(wanted);
            case Command.Learned learned -> learned(learned);
            case Command.ClaimZone claim -> claimZone(claim);
            case Command.HandOver given -> handOver(given);
            case Command.CannotRestore refused -> cannotRestore(refused);
            case Command.ZoneSought sought -> sought(sought.zone());
            case Command.Founded founded -> founded(founded.cluster());
            case Command.ClientOpen opened -> clientOpen(opened.key());
            case Command.ClientGone gone -> clientGone(gone.session());
            case Command.DoWithout without -> doWithout(without);
            case Command.Returned returned -> returned(returned);
            case Command.AcceptLoss accepted -> acceptLoss(accepted);
            case Command.ZonesRebuilt part -> rebuild(part);
            case Command.OfOperators order -> isIncomplete() ? UNFINISHED : ordered(order);
            case ZoneWidth set -> setWidth(set.scatterWidth());
            case ZoneSite site -> join(site.join(), site.rack());
            case ZoneVacant vacant -> zoneVacant(vacant);
            case RegistryChange change -> isIncomplete() ? UNFINISHED
                : new RegistryReply(registry.apply(change.step()));
        };
    }

    private CommandReply join(Command.Join join, String rack) {
        if (isIncomplete()) {
            return UNFINISHED;
        }
        Integer known = nidOfFolder.get(join.folder());
        NodeRow row = known == null ? null : nodes.get(known);
        if (row != null && row.isAlive()) {
            return row.start() == join.start() ? new CommandReply.Joined(row.reference()) : contested(row);
        }
        boolean isClient = join.roles().equals(Roles.CLIENT);
        int nid = row != null ? row.nid() : isClient ? clientNid() : peerNid();
        if (nid < 0) {
            return isClient ? new CommandReply.Refused("all node ids of clients are in use", false)
                : new CommandReply.Refused("all " + (NID_FIRST_CLIENT - NID_FIRST)
                    + " node ids of peers belong to other folders, for ever; start the node with the folder of a peer"
                    + " that has ended", true);
        }
        NodeRow last = nodes.get(nid);
        NodeRow next = new NodeRow(nid, last == null ? 1 : last.incarnation() + 1, true, join.folder(), join.start(),
            join.address(), join.roles(), 0, 0, 0, 0, ++version, false, rack);
        if (last != null) {
            nidOfFolder.remove(last.folder());
        }
        nidOfFolder.put(join.folder(), nid);
        nodes.put(nid, next);
        return new CommandReply.Joined(next.reference());
    }

    /** Refuses a join while an earlier life of the folder counts, and records that a later process waits. */
    private CommandReply contested(NodeRow row) {
        if (!row.isContested()) {
            nodes.put(row.nid(), row.contested(++version));
        }
        return new CommandReply.Refused(row.reference() + " of this folder has not expired yet", false);
    }

    /** Returns the next NID of a peer; a NID of a peer is bound to its folder for ever. */
    private int peerNid() {
        Integer last = nodes.lowerKey(NID_FIRST_CLIENT);
        int nid = Math.max(nextNid, last == null ? NID_FIRST : last + 1);
        return nid < NID_FIRST_CLIENT ? nid : OperatorOrders.freeNid(nodes.values());
    }

    /** Returns an unused NID of clients, or the NID of the client that expired first. */
    private int clientNid() {
        Integer last = nodes.floorKey(NID_LAST);
        int nid = last == null || last < NID_FIRST_CLIENT ? NID_FIRST_CLIENT : last + 1;
        if (nid <= NID_LAST) {
            return nid;
        }
        NodeRow oldest = null;
        for (NodeRow row : nodes.tailMap(NID_FIRST_CLIENT).values()) {
            if (!row.isAlive() && (oldest == null || row.version() < oldest.version())) {
                oldest = row;
            }
        }
        return oldest == null ? -1 : oldest.nid();
    }

    /** Takes the settings of a new cluster. */
    private CommandReply begin(Command.Begin begin) {
        if (version > 0) {
            return STALE;
        }
        settings = new Settings(begin.superpeers(), begin.backups(), settings.scatterWidth());
        superpeers = new SuperpeerTable(MachineState.initial(settings));
        version++;
        return DONE;
    }

    /** Takes the scatter width; in front of the first command of a cluster the tables are empty and have no version. */
    private CommandReply setWidth(int width) {
        if (width < 0 || width > ZoneWidth.WIDTH_MAX) {
            return new CommandReply.Refused("scatter width " + width + " is not in 0 to " + ZoneWidth.WIDTH_MAX, true);
        }
        version += version == 0 || width == settings.scatterWidth() ? 0 : 1;
        settings = settings.with(width);
        return DONE;
    }

    /** Changes the superpeers, perhaps; {@code change} takes the version of the tables with the change. */
    private CommandReply superpeers(LongFunction<CommandReply> change) {
        final SuperpeerSet before = superpeers.set();
        final CommandReply reply = change.apply(Math.max(version, before.version()) + 1);
        version = superpeers.set().equals(before) ? version : superpeers.set().version();
        return reply;
    }

    private CommandReply vote(Command.Vote vote) {
        if (!isAlive(vote.node()) || !superpeers.vote(vote)) {
            return STALE;
        }
        if (superpeers.isExpired(vote.node())) {
            expire(vote.node());
        }
        return DONE;
    }

    private CommandReply ended(NodeRef node) {
        if (!isAlive(node)) {
            return STALE;
        }
        expire(node);
        return DONE;
    }

    private CommandReply newZones(Command.NewZones request) {
        NodeRow row = nodes.get(request.node().nid());
        if (row == null || !row.lives(request.node()) || request.request() < row.request()) {
            return STALE;
        }
        if (request.request() == row.request()) {
            return new CommandReply.Zones(row.firstGiven(), row.countGiven());
        }
        if (!row.roles().ownsZones() || request.count() < 1 || request.count() > ZONES_PER_REQUEST_MAX) {
            return new CommandReply.Refused(request.count() + " zones for a node with " + row.roles(), true);
        }
        int count = Math.min(request.count(), ZoneRow.ZONE_MAX + 1 - nextZone);
        if (count == 0) {
            return new CommandReply.Refused("all " + ZoneRow.ZONE_MAX + " zones of a cluster are given", false);
        }
        BackupChoice choice = choice(row);
        if (choice.others().isEmpty() && settings.backups() > 0 && hasOtherPeers(row.nid())) {
            return new CommandReply.Refused("no other peer runs that could take backups of new zones", false);
        }
        int first = nextZone;
        version++;
        // also if there are fewer nodes: Rebuild relies on this number
        int nextCopy = settings.backups() + 1;
        for (int i = 0; i < count; i++) {
            List<NodeRef> chosen = choice.ofNewZone(row.zonesGiven() + i);
            List<Backup> backups = new ArrayList<>();
            chosen.forEach(node -> backups.add(new Backup(node, backups.size() + 1)));
            put(new ZoneRow(nextZone++, 1, ZoneState.OPEN, false, row.reference(), backups, List.of(),
                List.of(), nextCopy, version));
        }
        nodes.put(row.nid(), row.gave(count, request.request(), first, version));
        return new CommandReply.Zones(first, count);
    }

    private BackupChoice choice(NodeRow owner) {
        return new BackupChoice(copysets, nodes.values(), owner, settings.backups(), settings.scatterWidth());
    }

    /** Returns whether the cluster has had a peer for backups beside an owner, which may have ended. */
    private boolean hasOtherPeers(int owner) {
        return nodes.values().stream().anyMatch(row -> row.roles().takesBackups() && row.nid() != owner);
    }

    private CommandReply zoneFull(Command.ZoneFull full) {
        ZoneRow row = current(full.zone(), full.epoch());
        if (row == null) {
            return STALE;
        }
        if (!row.isFull()) {
            put(row.full(++version));
        }
        return DONE;
    }

    private CommandReply zoneVacant(ZoneVacant vacant) {
        ZoneRow row = current(vacant.zone(), vacant.epoch());
        if (row == null || !row.state().isServed()) {
            return STALE;
        }
        if (row.isFull()) {
            put(row.vacant(++version));
        }
        return DONE;
    }

    private CommandReply backupFailed(Command.BackupFailed failed) {
        ZoneRow row = current(failed.zone(), failed.epoch());
        Backup backup = row == null ? null : row.receiver(failed.backup());
        if (row == null || row.owner() == null || backup == null) {
            return STALE;
        }
        if (row.backups().size() == 1 && row.hasBackup(failed.backup()) && row.state() != ZoneState.RESTORING) {
            return new CommandReply.Refused(failed.backup() + " is the only backup of zone " + failed.zone(), false);
        }
        if (row.isLast()) {
            return usedUp(row);
        }
        put(row.givenUp(backup, ++version));
        return DONE;
    }

    private CommandReply fenced(Command.Fenced fenced) {
        ZoneRow row = current(fenced.zone(), fenced.epoch());
        if (row == null || !row.state().isFenced() || !row.hasBackup(fenced.node())) {
            return STALE;
        }
        if (row.reports().stream().anyMatch(report -> report.node().equals(fenced.node()))) {
            return DONE;
        }
        put(row.reported(new ZoneRow.Report(fenced.node(), fenced.last()), ++version).settled(version));
        return DONE;
    }

    private CommandReply hedge(Command.Hedge hedge) {
        ZoneRow row = current(hedge.zone(), hedge.epoch());
        if (row == null || !row.state().isFenced()) {
            return STALE;
        }
        if (!row.canGoOn()) {
            return new CommandReply.Refused("too few backups of zone " + hedge.zone() + " have reported", false);
        }
        put(row.chosen(++version));
        return DONE;
    }

    private CommandReply owned(Command.Owned owned) {
        ZoneRow row = current(owned.zone(), owned.epoch());
        if (row == null || !row.isOwnedBy(owned.node())) {
            return STALE;
        }
        if (row.state() == ZoneState.RESTORING) {
            put(row.served(settings.backups(), ++version));
        }
        return DONE;
    }

    private CommandReply addBackup(Command.AddBackup wanted) {
        ZoneRow row = current(wanted.zone(), wanted.epoch());
        if (row == null || !row.state().isServed() || row.owner() == null) {
            return STALE;
        }
        if (OperatorOrders.taking(row.receivers(), nodes) >= settings.backups()) {
            return new CommandReply.Refused("zone " + wanted.zone() + " has its backups", false);
        }
        if (row.isNearItsEnd()) {
            return usedUp(row);
        }
        NodeRef chosen = another(row, row.owner(), wanted.without());
        if (chosen == null) {
            return new CommandReply.Refused("no other node can be a backup of zone " + wanted.zone(), false);
        }
        put(row.learning(chosen, ++version));
        return DONE;
    }

    /** Returns the best further backup of a zone; null if no node is suitable. */
    private @Nullable NodeRef another(ZoneRow row, NodeRef owner, List<NodeRef> without) {
        NodeRow from = nodes.get(owner.nid());
        if (from == null) {
            return null;
        }
        List<NodeRow> staying = new ArrayList<>(List.of(from));
        List<NodeRef> excluded = new ArrayList<>(without);
        Stream.concat(row.receivers().stream(), row.spares().stream()).map(Backup::node).forEach(excluded::add);
        for (Backup backup : row.receivers()) {
            NodeRow node = nodes.get(backup.node().nid());
            if (node != null && node.lives(backup.node()) && node.roles().takesBackups()) {
                staying.add(node);                              // another node replaces a copy of an unloaded peer
            }
        }
        NodeRow best = choice(from).another(staying, excluded);
        return best == null ? null : best.reference();
    }

    private CommandReply learned(Command.Learned learned) {
        ZoneRow row = current(learned.zone(), learned.epoch());
        Backup learner = row == null ? null : row.receiver(learned.learner());
        if (row == null || learner == null || row.hasBackup(learned.learner())) {
            return STALE;
        }
        if (row.isLast()) {
            return usedUp(row);
        }
        put(orders().relieved(row.learned(learner, settings.backups(), ++version), version));
        return DONE;
    }

    private OperatorOrders orders() {
        return new OperatorOrders(nodes, zones, settings.backups());
    }

    /** Applies an order of a person. */
    private CommandReply ordered(Command.OfOperators order) {
        OperatorOrders.Effect effect = orders().effect(order, version + 1);
        version += effect.isChange() ? 1 : 0;
        NodeRow node = effect.node();
        if (node != null) {
            nodes.put(node.nid(), node);
            nidOfFolder.values().remove(node.nid());
            nidOfFolder.put(node.folder(), node.nid());
        }
        effect.zones().forEach(this::put);
        return effect.reply();
    }

    private CommandReply claimZone(Command.ClaimZone claim) {
        ZoneRow row = current(claim.zone(), claim.epoch());
        NodeRow node = nodes.get(claim.node().nid());
        if (row == null || node == null || !node.lives(claim.node()) || row.owner() == null
            || !row.state().isServed()) {
            return STALE;
        }
        if (claim.node().equals(row.heir())) {
            return DONE;
        }
        NodeRow owner = nodes.get(row.owner().nid());
        String problem = Moves.problem(row, node, owner != null && owner.isUnloaded(), zones.values(), nodes::get);
        if (problem != null) {
            return new CommandReply.Refused("zone " + claim.zone() + " does not move to " + claim.node() + ": "
                + problem, false);
        }
        put(row.claimed(claim.node(), ++version));
        return DONE;
    }

    private CommandReply handOver(Command.HandOver given) {
        ZoneRow row = current(given.zone(), given.epoch());
        NodeRef heir = row == null ? null : row.heir();
        Backup next = row == null || heir == null ? null : row.backup(heir);
        if (row == null || next == null || !row.isHandedOver() || !row.isOwnedBy(given.node())) {
            return STALE;
        }
        if (row.isLast()) {
            return usedUp(row);
        }
        put(row.handedOn(next, ++version));
        return DONE;
    }

    private CommandReply cannotRestore(Command.CannotRestore refused) {
        ZoneRow row = current(refused.zone(), refused.epoch());
        if (row == null || row.state() != ZoneState.RESTORING || !row.isOwnedBy(refused.node())) {
            return STALE;
        }
        ZoneRow.Obstacle obstacle = new ZoneRow.Obstacle(refused.node(), refused.hindrance(), refused.neededBytes(),
            refused.freeBytes());
        boolean isDamaged = refused.hindrance() == Hindrance.DAMAGE;
        Backup own = row.keptOf(refused.node());
        if (!isDamaged && (own == null || own.copy() != refused.copy())) {
            return new CommandReply.Refused("copy " + refused.copy() + " of zone " + row.zone()
                + " is not that of its owner", true);
        }
        boolean isLast = row.isLast();                          // no other node can own the zone
        if (isDamaged && row.hasOtherCopy() && !isLast) {
            put(row.handedOver(false, null, ++version));
        } else if (!isDamaged && row.hasOtherCandidate() && !isLast) {
            put(row.handedOver(true, obstacle, ++version));
        } else if (!obstacle.equals(row.obstacleOf(refused.node()))) {
            put(row.hindered(obstacle, ++version));
        }
        return DONE;
    }

    // ---- copies of earlier lives ----

    private CommandReply doWithout(Command.DoWithout without) {
        ZoneRow row = current(without.zone(), without.epoch());
        if (row == null || !row.state().isServed()) {
            return STALE;
        }
        if (row.kept().isEmpty()) {
            return DONE;
        }
        if (row.backups().isEmpty()) {
            return new CommandReply.Refused("no other copy of zone " + without.zone() + " has every acknowledged"
                + " change", false);
        }
        put(row.withoutKept(++version));
        return DONE;
    }

    private CommandReply returned(Command.Returned returned) {
        ZoneRow row = current(returned.zone(), returned.epoch());
        NodeRef node = returned.node();
        if (row == null || row.state() != ZoneState.WAITING && !row.state().isServed() || !isAlive(node)) {
            return STALE;
        }
        if (row.isUsedUp()) {
            return usedUp(row);
        }
        if (row.state().isServed()) {
            return resumed(row, returned);
        }
        if (row.hasBackup(node)) {
            return DONE;
        }
        Backup kept = row.keptBefore(node);
        if (kept == null || kept.copy() != returned.copy()) {
            return STALE;
        }
        if (returned.state() == CopyState.DAMAGED) {
            put(row.useless(kept, ++version).settled(version));
            return DONE;
        }
        Backup candidate = new Backup(node, kept.copy(), kept.isCut() || returned.state() == CopyState.CUT);
        put(row.returned(candidate, new ZoneRow.Report(node, returned.last()), ++version).settled(version));
        return DONE;
    }

    /** The owner has found that a node can catch up from the copy of an earlier life. */
    private CommandReply resumed(ZoneRow row, Command.Returned returned) {
        NodeRef node = returned.node();
        Backup copy = row.resumable(node);
        if (row.receiver(node) != null) {
            return DONE;
        }
        if (copy == null || copy.copy() != returned.copy() || row.isOwnedBy(node)
            || copy.node().incarnation() > node.incarnation()) {
            return STALE;
        }
        if (row.backups().size() >= settings.backups()) {
            return new CommandReply.Refused("zone " + row.zone() + " has its backups", false);
        }
        if (row.isNearItsEnd()) {
            return usedUp(row);
        }
        put(row.resuming(node, copy, ++version));
        return DONE;
    }

    /**
     * A person has accepted a loss. A zone that waits continues with the copies that are there. A served zone without
     * backups acknowledges changes without the copies that have not come back.
     */
    private CommandReply acceptLoss(Command.AcceptLoss accepted) {
        ZoneRow row = current(accepted.zone(), accepted.epoch());
        if (row == null) {
            return STALE;
        }
        if (row.awaitsBackup()) {
            put(row.withoutKept(++version));
            return DONE;
        }
        if (row.state() != ZoneState.WAITING) {
            return STALE;
        }
        Backup chosen = null;
        if (accepted.nid() != 0) {
            NodeRow node = nodes.get(accepted.nid());
            boolean isThere = row.outdated().stream().anyMatch(copy -> copy.node().nid() == accepted.nid()
                && copy.copy() == accepted.copy());
            if (node == null || !node.isAlive() || !isThere) {
                return new CommandReply.Refused("node " + accepted.nid() + (isThere ? " does not run"
                    : " has no copy " + accepted.copy() + " of zone " + row.zone()), false);
            }
            chosen = new Backup(node.reference(), accepted.copy());
        }
        put(row.lossAccepted(chosen, ++version));
        return DONE;
    }

    private static CommandReply usedUp(ZoneRow row) {
        return new CommandReply.Refused("zone " + row.zone() + " has had configuration " + row.epoch() + " of "
            + ZoneRow.EPOCH_LAST + ": the rest is left for failures", false);
    }

    /**
     * Takes metadata made elsewhere, part by part; takes the first part only if this machine has no metadata. Clients
     * may have found this machine before the rebuild: the numbers of their sessions were already used before the loss,
     * so these sessions end.
     */
    private CommandReply rebuild(Command.ZonesRebuilt part) {
        final Rebuilding known = rebuilding;
        final int due = known != null && known.key() == part.key() ? known.done() : 0;
        if (part.part() < due) {
            return DONE;
        }
        if (due == 0 && (known != null || !zones.isEmpty() || nodes.lowerKey(NID_FIRST_CLIENT) != null)) {
            return new CommandReply.Refused("the cell has metadata", true);
        }
        if (part.part() != due) {
            return new CommandReply.Refused("part " + due + " of the metadata comes first", true);
        }
        final RebuiltTables tables = part.tables();
        founded(tables.cluster());
        version = tables.version();
        nextZone = tables.nextZone();
        nextNid = tables.nextNid();
        sessions.endAll(tables.lastSession(), version);
        registry = new Registry(RegistryState.rebuilt(version / Rebuild.VERSIONS));
        for (NodeRow row : tables.nodes()) {
            nodes.put(row.nid(), row);
            nidOfFolder.put(row.folder(), row.nid());
        }
        tables.zones().forEach(this::put);
        rebuilding = new Rebuilding(part.key(), part.part() + 1, part.parts());
        return DONE;
    }

    private CommandReply sought(int zone) {
        if (isIncomplete()) {
            return STALE;                                       // a later part may have the zone
        }
        return zones.containsKey(zone) ? DONE : new CommandReply.Refused("zone " + zone + " does not exist", false);
    }

    /** The first identity counts. */
    private CommandReply founded(ClusterId id) {
        cluster = cluster.isKnown() ? cluster : id;
        return DONE;
    }

    private CommandReply clientOpen(long key) {
        if (isIncomplete()) {
            return UNFINISHED;
        }
        final Integer known = sessions.number(key);
        if (known != null) {
            return new CommandReply.SessionOpened(known);
        }
        final String obstacle = sessions.obstacle();
        return obstacle != null ? new CommandReply.Refused(obstacle, false)
            : new CommandReply.SessionOpened(sessions.open(key, ++version));
    }

    private CommandReply clientGone(int session) {
        if (!sessions.isOpen(session)) {
            return STALE;
        }
        sessions.end(session, ++version);
        return DONE;
    }

    private @Nullable ZoneRow current(int zone, int epoch) {
        ZoneRow row = zones.get(zone);
        return row != null && row.epoch() == epoch ? row : null;
    }

    private void put(ZoneRow row) {
        copysets.replace(zones.put(row.zone(), row), row);
    }

    // ---- expiry ----

    /** Ends a life: the zones of this life are recovered, and no configuration names this life any more. */
    private void expire(NodeRef node) {
        version++;
        superpeers.forget(node);
        nodes.computeIfPresent(node.nid(), (_, row) -> row.ended(version));
        for (ZoneRow zone : List.copyOf(zones.values())) {
            if (zone.isOwnedBy(node)) {
                put(zone.ownerExpired(version));
            } else if (zone.names(node)) {
                put(zone.without(node, version));               // the row is unchanged in the zone's last configuration
            }
        }
    }

    // ---- audit ----

    /** Checks all invariants; throws {@link IllegalStateException} if an invariant is broken. */
    public void audit() {
        ZoneAudit audit = new ZoneAudit(version, nextZone, this::isAlive);
        zones.values().forEach(audit::check);
        copysets.audit(zones.values());
        superpeers.accused().forEach(node -> check(isAlive(node), "votes against " + node));
        check(nidOfFolder.size() == nodes.size(), "folders");
        check(sessions.isSound(version), "sessions");
        registry.audit();
    }

    private static void check(boolean holds, String what) {
        ZoneAudit.check(holds, what);
    }
}
