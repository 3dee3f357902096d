package io.teff.cluster.meta;

import io.teff.cluster.meta.FolderReport.CopyReport;
import io.teff.cluster.meta.RebuildPlan.Finding;
import io.teff.cluster.meta.RebuildPlan.Outlook;
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
 * Makes metadata from what the folders of peers hold, after the superpeers have lost theirs. Pure.
 *
 * <p><b>What a copy is worth.</b> A copy has no hole. Let a change be acknowledged in epoch e; then every backup of
 * that configuration has it. A copy whose last change has a higher epoch was a backup's of a later configuration, whose
 * owner had the change; one of the same epoch with a higher counter has it because it has no hole. So the copy with the
 * highest number has each acknowledged change that any reported copy has, if it is <b>complete</b>: if it was that of a
 * backup, not only that of a learner. Tables that a peer has kept say so. And a copy that has a number of the zone's
 * first backups, and no change after the first epoch, is that of one of these: a learner begins with the second epoch,
 * and although the last change that its copy names may be of the first one, its number is higher.
 *
 * <p><b>Which copies count.</b> Of the complete ones, those that the newest row of the zone names, unless some have
 * changes of a later epoch than this row. Of these, those whose last change has the highest epoch of all: copies of one
 * epoch are from one owner, so each is a beginning of the others. One of a lower epoch may have changes that were never
 * acknowledged, and contradict what came later; it counts for nothing, and the zone gets new backups.
 *
 * <p><b>What is not guessed.</b> The tables lag behind, so a zone waits for all copies that count, not for one of them,
 * and for those that the newest row names on peers that were not reported. If a copy that is not complete, or damaged,
 * has changes of a later epoch than the row and all copies that count, it may be the only one with acknowledged
 * changes, and may lack others: the zone waits for a person.
 *
 * <p><b>Numbers.</b> Whatever the cell gives is above all that was seen by as much as it may have given since the last
 * look of the peer with the newest tables. A zone that has too few epochs left for that is used up: its copies are
 * kept, and it is not served any more.
 *
 * <p><b>Rebuilds of rebuilt metadata.</b> A zone that waits for a person goes on waiting: the row says so, and its
 * epoch is above that of the copy that was the reason.
 */
public final class Rebuild {
    /** The incarnation in the name of a copy that never comes back: the zone waits for a person. */
    static final int NEVER = Integer.MAX_VALUE;

    /** Versions that are skipped. */
    static final long VERSIONS = 1L << 32;
    /** Epochs of each zone that are skipped. */
    static final int EPOCHS = 256;
    /** Copies of each zone that are skipped. */
    static final int COPIES = 256;
    /** Zones that are skipped. */
    static final int ZONES = 256;
    /** Lives of each node that are skipped. */
    static final int INCARNATIONS = 1_024;
    /** NIDs that are skipped: by the rebuild, and in front of each folder that no tables name. */
    static final int NIDS = 64;
    /** Sessions that are skipped. */
    static final int SESSIONS = 1 << 20;
    /** The highest number of a copy that a log can name; with more, the zone is used up. */
    private static final int COPY_MAX = (1 << 20) - (1 << 8) - 1;

    private static final UUID UNKNOWN = new UUID(0, 0);

    private final List<FolderReport> reports;
    private final int backups;
    private final long version;
    private final TreeMap<Integer, NodeRow> nodes = new TreeMap<>();
    private final Map<UUID, Integer> nidOfFolder = new HashMap<>();
    private final Set<Integer> reported = new HashSet<>();
    private final TreeMap<Integer, ZoneRow> newest = new TreeMap<>();
    /** Of each zone, the first copy that was never named. */
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
     * @param reports what the folders of the peers hold, each folder once
     * @param backups backups of each zone, as the cluster's settings say
     * @return the plan; with obstacles if the folders are not those of one cluster, or its numbers are used up
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
        final TreeSet<Integer> all = new TreeSet<>(newest.keySet());
        all.addAll(held.keySet());
        final List<ZoneRow> zones = all.stream().map(this::zone).toList();
        final int lastZone = all.isEmpty() ? 0 : all.last();
        final int lastSession = (int) most(reports, tables -> tables.nextSession() - 1);
        if (lastSession > Integer.MAX_VALUE - 2 * SESSIONS) {
            obstacles.add("the numbers of sessions are used up");
        }
        return new RebuildPlan(new RebuiltTables(version, Math.min(lastZone + 1 + ZONES, ZoneRow.ZONE_MAX + 1),
            Math.min(lastNid() + NIDS, MetadataMachine.NID_FIRST_CLIENT), lastSession + SESSIONS,
            nodes.values().stream().map(this::node).toList(), zones), findings, missing(), obstacles);
    }

    /** Returns the nodes whose folder was not reported: those that live, and those with copies that may count. */
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

    /** Returns the highest NID of a peer that is known; that in front of the first one if there is none. */
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
            if (row.roles().takesBackups() || row.roles().ownsZones()) {
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

    /** Of two nodes with one folder, as after an earlier rebuild, the newer one counts. */
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

    /** Returns the copies that have every acknowledged change, as far as a row says. */
    private static Stream<Backup> named(ZoneRow row) {
        return Stream.of(row.backups(), row.spares(), row.kept()).flatMap(List::stream);
    }

    private void learn(FolderReport report) {
        final int nid = nidOfFolder.computeIfAbsent(report.folder(), this::newNid);
        if (!reported.add(nid)) {
            obstacles.add("the folder of " + report.name() + " was reported twice");
        }
        final NodeRow known = nodes.get(nid);
        if (known != null && report.lastIncarnation() > known.incarnation()) {
            nodes.put(nid, with(known, report.lastIncarnation(), known.isAlive(), known.version()));
        }
        for (CopyReport copy : report.copies()) {
            held.computeIfAbsent(copy.zone(), _ -> new ArrayList<>()).add(new Held(nid, copy));
            nextCopy.merge(copy.zone(), copy.copy() + 1, Math::max);
        }
    }

    /** Gives a NID to a folder that no tables name. */
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
            row.zonesGiven(), 0, 0, 0, at, false);
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
                    doubtful.add(copy);                         // a person has not given it up
                } else if (!reported.contains(copy.node().nid())) {
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

    /** Returns a copy that does not count, and has changes of a later epoch; null if there is none. */
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

    private static List<Held> named(ZoneRow row, List<Held> copies) {
        return copies.stream().filter(copy -> named(row).anyMatch(it -> isSame(copy, it))).toList();
    }

    private static boolean isSame(Held copy, Backup named) {
        return named.node().nid() == copy.nid() && named.copy() == copy.copy().copy();
    }

    /** Adds a copy that counts; of one node only the last one. */
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
