package io.teff.cluster.meta;

import io.teff.cluster.meta.FolderReport.CopyReport;
import io.teff.cluster.meta.RebuildPlan.Finding;
import io.teff.cluster.meta.RebuildPlan.Outlook;
import io.teff.cluster.net.identity.ClusterId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes metadata from the contents of peers' folders, after the superpeers have lost the metadata. Pure.
 *
 * <p><b>Value of a copy.</b> A copy has no hole. Let a change be acknowledged in epoch e; then every backup of the
 * configuration of e has the change. A copy with a last change of a higher epoch was kept by a backup of a later
 * configuration, whose owner had the change; a copy with a last change of epoch e and a higher counter has the change
 * because a copy has no hole. So the copy with the highest number has each acknowledged change present in any reported
 * copy, if the copy is <b>complete</b>: if the copy was kept by a backup, not only by a learner. The tables kept by a
 * peer name complete copies. A copy with a number of the zone's first backups, and no change after the first epoch, is
 * the copy of a first backup: a learner begins with the second epoch. The last change named by a learner's copy may be
 * of the first epoch, but the number of the learner's copy is higher.
 *
 * <p><b>Copies that count.</b> The complete copies named by the newest row of the zone count, unless some complete
 * copies have changes of a later epoch than the row. Then all complete copies count. Only copies whose last change has
 * the highest epoch among the counting copies remain: copies of one epoch come from one owner, so each shorter copy is
 * a prefix of the longer copies. A copy of a lower epoch may have changes that were never acknowledged and contradict
 * later changes; such a copy counts for nothing, and the zone gets new backups.
 *
 * <p><b>No guesses.</b> The tables lag behind, so a zone waits for all copies that count. A zone also waits for the
 * copies named by the newest row on peers without a report, or of later lives than the reported folder has had. An
 * incomplete or damaged copy may have changes of a later epoch than the row and all counting copies. Such a copy may be
 * the only copy with acknowledged changes, and may also lack some: the zone waits for a person.
 *
 * <p><b>Numbers.</b> Each number given by the new cell is above all seen numbers. The distance covers all numbers that
 * the old cell may have given after the newest tables were kept. A zone with too few epochs left for this distance is
 * used up: its copies are kept, and the zone is not served any more.
 *
 * <p><b>Rebuilds of rebuilt metadata.</b> A zone that waits for a person continues to wait: the row has the mark, and
 * the epoch of the row is above the epoch of the copy that caused the wait.
 */
public final class Rebuild {
    /** The incarnation in the name of a copy that never returns: the zone waits for a person. */
    static final int NEVER = Integer.MAX_VALUE;

    /** Skipped versions. */
    static final long VERSIONS = 1L << 32;
    /** Skipped epochs of each zone. */
    static final int EPOCHS = 256;
    /** Skipped copy numbers of each zone. */
    static final int COPIES = 256;
    /** Skipped zones. */
    static final int ZONES = 256;
    /** Skipped lives of each node. */
    static final int INCARNATIONS = 1_024;
    /** Skipped NIDs: for the rebuild, and in front of each folder without a row in any tables. */
    static final int NIDS = 64;
    /** Skipped sessions. */
    static final int SESSIONS = 1 << 20;
    /** The highest number of a copy that a log can store; with more, the zone is used up. */
    private static final int COPY_MAX = (1 << 20) - (1 << 8) - 1;

    private static final UUID UNKNOWN = new UUID(0, 0);

    private final List<FolderReport> reports;
    private final int backups;
    private final long version;
    private final TreeMap<Integer, NodeRow> nodes = new TreeMap<>();
    private final Map<UUID, Integer> nidOfFolder = new HashMap<>();
    private final Set<Integer> reported = new HashSet<>();
    /** The last life of each reported folder; 0 if unknown. */
    private final Map<Integer, Integer> lastLives = new HashMap<>();
    private final TreeMap<Integer, ZoneRow> newest = new TreeMap<>();
    /** Of each zone, the lowest unused number of a copy. */
    private final Map<Integer, Integer> nextCopy = new HashMap<>();
    private final Set<Name> complete = new HashSet<>();
    private final TreeMap<Integer, List<Held>> held = new TreeMap<>();
    private final List<String> obstacles = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    private record Name(int zone, int copy) {}

    /** A copy at a node. */
    private record Held(int nid, CopyReport copy) {}

    private Rebuild(List<FolderReport> reports, int backups) {
        this.reports = reports;
        this.backups = backups;
        version = most(reports, KnownTables::version) + VERSIONS;
    }

    /**
     * Makes a plan.
     *
     * @param reports contents of the peers' folders, each folder once
     * @param backups backups of each zone, as the cluster's settings say
     * @return the plan; with obstacles if the folders belong to several clusters, or if a kind of numbers is used up
     */
    public static RebuildPlan plan(List<FolderReport> reports, int backups) {
        return new Rebuild(List.copyOf(reports), backups).plan();
    }

    private RebuildPlan plan() {
        for (FolderReport report : reports) {
            final KnownTables tables = report.tables();
            if (tables != null) {
                learn(tables);
            }
        }
        forgetOutdatedNodes();
        reports.forEach(this::learn);
        final ClusterId cluster = cluster();
        final TreeSet<Integer> all = new TreeSet<>(newest.keySet());
        all.addAll(held.keySet());
        final List<ZoneRow> zones = all.stream().map(this::zone).toList();
        final int lastZone = all.isEmpty() ? 0 : all.last();
        final int lastSession = (int) most(reports, tables -> tables.nextSession() - 1);
        if (lastSession > Integer.MAX_VALUE - 2 * SESSIONS) {
            obstacles.add("the numbers of sessions are used up");
        }
        return new RebuildPlan(new RebuiltTables(cluster, version, Math.min(lastZone + 1 + ZONES, ZoneRow.ZONE_MAX + 1),
            Math.min(lastNid() + NIDS, MetadataMachine.NID_FIRST_CLIENT), lastSession + SESSIONS,
            nodes.values().stream().map(this::node).toList(), zones), findings, missing(), obstacles);
    }

    /** Returns the cluster of the folders. */
    private ClusterId cluster() {
        ClusterId cluster = ClusterId.NONE;
        for (FolderReport report : reports) {
            if (!cluster.fits(report.cluster())) {
                obstacles.add("the folder of " + report.name() + " belongs to " + report.cluster()
                    + ", and other folders belong to " + cluster);
            }
            cluster = cluster.isKnown() ? cluster : report.cluster();
        }
        return cluster;
    }

    /** Returns the nodes without a reported folder: living nodes, and nodes with copies that may count. */
    private List<NodeRow> missing() {
        final TreeMap<Integer, NodeRow> missing = new TreeMap<>();
        newest.values().stream().flatMap(Rebuild::named).map(Backup::node).filter(it -> !reported.contains(it.nid()))
            .forEach(it -> missing.put(it.nid(), new NodeRow(it.nid(), it.incarnation(), false, UNKNOWN, 0, "",
                Roles.PEER, 0, 0, 0, 0, 0, false)));            // joined after the last look of these folders at nodes
        for (NodeRow row : nodes.values()) {
            if (!reported.contains(row.nid()) && (row.isAlive() || missing.containsKey(row.nid()))) {
                missing.put(row.nid(), row);
            }
        }
        return List.copyOf(missing.values());
    }

    /** Returns the highest known NID of a peer; the NID in front of the first NID of peers if no peer is known. */
    private int lastNid() {
        final IntStream known = Stream.concat(nodes.keySet().stream(), newest.values().stream()
            .flatMap(row -> row.nodes().map(NodeRef::nid))).mapToInt(Integer::intValue);
        return known.max().orElse(MetadataMachine.NID_FIRST - 1);
    }

    /** Returns the highest number in any tables. */
    private static long most(List<FolderReport> reports, ToLongFunction<KnownTables> number) {
        long most = 0;
        for (FolderReport report : reports) {
            final KnownTables tables = report.tables();
            most = tables == null ? most : Math.max(most, number.applyAsLong(tables));
        }
        return most;
    }

    // ---- what the reports say ----

    private void learn(KnownTables tables) {
        for (NodeRow row : tables.nodes()) {
            if (!row.isClient() && !row.isForgotten()) {
                learn(row);
            }
        }
        for (ZoneRow row : tables.zones()) {
            newest.merge(row.zone(), row, Rebuild::newer);
            nextCopy.merge(row.zone(), row.nextCopy(), Math::max);
            named(row).filter(copy -> !copy.isDoubtful())
                .forEach(copy -> complete.add(new Name(row.zone(), copy.copy())));
        }
    }

    private void learn(NodeRow row) {
        final NodeRow known = nodes.get(row.nid());
        if (known != null && !known.folder().equals(row.folder()) && known.version() / VERSIONS
            == row.version() / VERSIONS) {
            obstacles.add("node " + row.nid() + " has folder " + known.folder() + " in the tables of one peer, and "
                + row.folder() + " in those of another one");
        }
        if (known == null || row.version() > known.version()) {
            nodes.put(row.nid(), row);
        }
    }

    /** If two nodes have one folder, as after an earlier rebuild, only the newer node counts. */
    private void forgetOutdatedNodes() {
        for (NodeRow row : List.copyOf(nodes.values())) {
            final Integer other = nidOfFolder.get(row.folder());
            final NodeRow known = other == null ? null : nodes.get(other);
            if (known == null || row.version() > known.version()) {
                nidOfFolder.put(row.folder(), row.nid());
            }
        }
        nodes.values().removeIf(row -> !Integer.valueOf(row.nid()).equals(nidOfFolder.get(row.folder())));
    }

    private static ZoneRow newer(ZoneRow first, ZoneRow second) {
        final boolean isSecond = first.epoch() != second.epoch() ? second.epoch() > first.epoch()
            : second.version() > first.version();
        return isSecond ? second : first;
    }

    /** Returns the copies with every acknowledged change, according to a row. */
    private static Stream<Backup> named(ZoneRow row) {
        return Stream.of(row.backups(), row.spares(), row.kept()).flatMap(List::stream);
    }

    private void learn(FolderReport report) {
        final int nid = nidOfFolder.computeIfAbsent(report.folder(), this::newNid);
        if (!reported.add(nid)) {
            obstacles.add("the folder of " + report.name() + " was reported twice");
        }
        lastLives.put(nid, report.lastIncarnation());
        final NodeRow known = nodes.get(nid);
        if (known != null && report.lastIncarnation() > known.incarnation()) {
            nodes.put(nid, with(known, report.lastIncarnation(), known.isAlive(), known.version()));
        }
        for (CopyReport copy : report.copies()) {
            held.computeIfAbsent(copy.zone(), _ -> new ArrayList<>()).add(new Held(nid, copy));
            nextCopy.merge(copy.zone(), copy.copy() + 1, Math::max);
        }
    }

    /** Gives a NID to a folder without a row in any tables. */
    private int newNid(UUID folder) {
        final int nid = Math.min(lastNid() + NIDS, MetadataMachine.NID_FIRST_CLIENT - 1);
        if (nodes.containsKey(nid)) {
            obstacles.add("the NIDs of peers are used up");
        }
        nodes.put(nid, new NodeRow(nid, 0, false, folder, 0, "", Roles.PEER, 0, 0, 0, 0, 0, false));
        return nid;
    }

    // ---- rows ----

    private NodeRow node(NodeRow row) {
        return with(row, row.incarnation() + INCARNATIONS, false, version);
    }

    private static NodeRow with(NodeRow row, int incarnation, boolean isAlive, long at) {
        return new NodeRow(row.nid(), incarnation, isAlive, row.folder(), row.start(), row.address(), row.roles(),
            row.zonesGiven(), 0, 0, 0, at, false, row.rack());
    }

    private ZoneRow zone(int zone) {
        final ZoneRow row = newest.get(zone);
        final List<Held> all = held.getOrDefault(zone, List.of());
        final int rowEpoch = row == null ? 0 : row.epoch();
        final List<Held> whole = all.stream().filter(this::isComplete).toList();
        final List<Held> pool = new ArrayList<>(row == null || topEpoch(whole) > rowEpoch ? whole : named(row, whole));
        final List<Backup> kept = new ArrayList<>();
        final List<Backup> doubtful = new ArrayList<>();
        boolean isMissing = false;
        if (row != null) {
            for (Backup copy : named(row).toList()) {
                if (copy.isDoubtful()) {
                    doubtful.add(copy);                         // no person has given up the copy
                } else if (!reported.contains(copy.node().nid()) || isLater(copy)) {
                    kept.add(new Backup(copy.node(), copy.copy(), true));
                    isMissing = true;
                } else if (all.stream().noneMatch(it -> isSame(it, copy))) {
                    pool.add(new Held(copy.node().nid(), new CopyReport(zone, copy.copy(), 0, false)));
                }
            }
        }
        final int top = topEpoch(pool);
        pool.stream().filter(copy -> copy.copy().epoch() == top).forEach(copy -> keep(kept, copy));
        int next = nextCopy.getOrDefault(zone, 1) + COPIES;
        if (doubtful.isEmpty() && !kept.isEmpty()) {
            final Held later = later(all, Math.max(top, rowEpoch));
            if (later != null) {
                doubtful.add(new Backup(new NodeRef(later.nid(), NEVER), next++, true));
            }
        }
        kept.addAll(doubtful);
        int epoch = Math.max(rowEpoch, topEpoch(all)) + EPOCHS;
        final boolean isUsedUp = epoch > ZoneRow.EPOCH_LAST || next > COPY_MAX;
        epoch = isUsedUp ? ZoneRow.EPOCH_MAX : epoch;
        findings.add(new Finding(zone, kept.isEmpty() ? Outlook.LOST : isUsedUp ? Outlook.USED_UP
            : !doubtful.isEmpty() ? Outlook.DOUBTFUL : isMissing ? Outlook.WAITING : Outlook.SERVED,
            topEpoch(all) > rowEpoch));
        return new ZoneRow(zone, epoch, kept.isEmpty() ? ZoneState.LOST : ZoneState.WAITING,
            row != null && row.isFull(), null, List.of(), List.of(), List.of(), List.of(), next, version, List.of(),
            null, kept);
    }

    /** Returns whether a copy is of a later life than its reported folder: the folder is an older copy of itself. */
    private boolean isLater(Backup copy) {
        final int last = lastLives.getOrDefault(copy.node().nid(), 0);
        return last > 0 && copy.node().incarnation() > last;
    }

    /** Returns a copy that does not count, but has changes of a later epoch; null if no such copy exists. */
    private @Nullable Held later(List<Held> all, int epoch) {
        Held later = null;
        for (Held copy : all) {
            later = !isComplete(copy) && copy.copy().epoch() > epoch ? copy : later;
        }
        return later;
    }

    private boolean isComplete(Held held) {
        final CopyReport copy = held.copy();
        final boolean isOfFirstBackup = copy.epoch() == 1 && copy.copy() <= backups;
        return !copy.isDamaged() && (isOfFirstBackup || complete.contains(new Name(copy.zone(), copy.copy())));
    }

    private static int topEpoch(List<Held> copies) {
        return copies.stream().mapToInt(copy -> copy.copy().epoch()).max().orElse(0);
    }

    private List<Held> named(ZoneRow row, List<Held> copies) {
        return copies.stream().filter(copy -> named(row).anyMatch(it -> isSame(copy, it) && !isLater(it))).toList();
    }

    private static boolean isSame(Held copy, Backup named) {
        return named.node().nid() == copy.nid() && named.copy() == copy.copy().copy();
    }

    /** Adds a copy that counts; of the copies of one node only the last copy is kept. */
    private void keep(List<Backup> kept, Held copy) {
        final NodeRow node = nodes.get(copy.nid());
        final Backup added = new Backup(new NodeRef(copy.nid(), node == null ? 0 : node.incarnation()),
            copy.copy().copy(), true);
        if (kept.stream().noneMatch(it -> it.node().nid() == copy.nid() && it.copy() > added.copy())) {
            kept.removeIf(it -> it.node().nid() == copy.nid());
            kept.add(added);
        }
    }
}
