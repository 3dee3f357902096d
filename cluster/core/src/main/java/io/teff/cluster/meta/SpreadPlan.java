package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plans new places for the backups of present zones, after racks were named or the scatter width was changed. Owners
 * stay. The choice of nodes is that of {@link BackupChoice}, so zones that were placed by the present rules have no
 * moves.
 *
 * <p><b>Few nodes.</b> A zone gets another backup while two of its copies share a rack and a node of a better rack can
 * take a copy. The other backups stay.
 *
 * <p><b>Copysets.</b> With more nodes than the scatter width, copysets stay if no node has more than twice the wanted
 * width, or three times the copysets that the width needs. Else the copysets of the most zones are kept first, as long
 * as no node of a copyset becomes wider than one and a half times the wanted width, or gets twice as many copysets as
 * the width needs. Zones of all other copysets get the backups of a kept copyset of their owner, or of a new copyset,
 * with as many of their present backups as possible.
 *
 * <p>Pure, used once.
 */
public final class SpreadPlan {
    /** All copysets in enough racks stay, up to this factor of the copysets that the width needs. */
    private static final int FEW = 3;

    private final Map<Integer, NodeRow> nodes = new TreeMap<>();
    private final List<ZoneRow> zones = new ArrayList<>();
    private final int backups;
    private final int width;
    private final Copysets sets = new Copysets();
    private final List<Move> moves = new ArrayList<>();
    private final Map<Integer, BackupChoice> choices = new HashMap<>();

    /**
     * A backup takes the place of another backup, or leaves.
     *
     * @param zone id of the zone
     * @param to the new backup; null if the zone has a backup too many
     * @param from the backup that leaves; null if the zone has too few backups
     */
    public record Move(int zone, @Nullable NodeRef to, @Nullable NodeRef from) {}

    private SpreadPlan(Collection<NodeRow> nodes, Collection<ZoneRow> zones, int backups, int width) {
        nodes.forEach(row -> this.nodes.put(row.nid(), row));
        this.backups = backups;
        this.width = width;
        for (ZoneRow row : zones) {
            final NodeRow owner = row.owner() == null ? null : this.nodes.get(row.owner().nid());
            if (row.state().isServed() && owner != null && owner.roles().ownsZones() && row.learners().isEmpty()
                && row.heir() == null && !row.isNearItsEnd() && row.backups().size() >= backups) {
                this.zones.add(row);
            }
        }
    }

    /**
     * Returns the moves.
     *
     * @param nodes all nodes
     * @param zones all zones; only zones at rest with all their backups move
     * @param backups wanted number of backups of a zone
     * @param width the scatter width; 0 for all nodes
     * @return the moves; those of a zone stand together, in their order
     */
    public static List<Move> of(Collection<NodeRow> nodes, Collection<ZoneRow> zones, int backups, int width) {
        final SpreadPlan plan = new SpreadPlan(nodes, zones, backups, width);
        plan.make();
        return plan.moves;
    }

    private void make() {
        final List<ZoneRow> narrow = new ArrayList<>();
        final List<ZoneRow> wide = new ArrayList<>();
        for (ZoneRow row : zones) {
            if (choice(row).isNarrow()) {
                narrow.add(row);
            } else {
                wide.add(row);
                sets.add(Copysets.Holding.of(row));
            }
        }
        wide.forEach(this::spread);
        regroup(narrow);
    }

    private BackupChoice choice(ZoneRow row) {
        final NodeRow owner = nodes.get(row.owner() == null ? 0 : row.owner().nid());
        if (owner == null) {
            throw new IllegalArgumentException(row + " has no owner");
        }
        return choices.computeIfAbsent(owner.nid(), _ -> new BackupChoice(sets, nodes.values(), owner, backups,
            width));
    }

    private NodeRow node(NodeRef node) {
        final NodeRow row = nodes.get(node.nid());
        if (row == null) {
            throw new IllegalArgumentException(node + " has no row");
        }
        return row;
    }

    // ---- few nodes ----

    private void spread(ZoneRow row) {
        final List<NodeRef> kept = new ArrayList<>(row.backups().stream().map(Backup::node).toList());
        final NodeRef owner = row.owner();
        while (owner != null && kept.size() > backups) {
            replace(row, kept, worst(owner, kept), null);
        }
        for (int i = 0; owner != null && i < backups; i++) {
            final NodeRef from = worst(owner, kept);
            final List<NodeRow> rest = rows(owner, kept, from);
            final NodeRow next = choice(row).another(rest, kept);
            if (next == null || Racks.shared(next, rest) >= Racks.shared(node(from), rest)) {
                return;
            }
            replace(row, kept, from, next.reference());
        }
    }

    /** Returns the backup that shares its rack with the most other copies, the last of equal ones. */
    private NodeRef worst(NodeRef owner, List<NodeRef> kept) {
        NodeRef worst = kept.getLast();
        int most = -1;
        for (NodeRef each : kept.reversed()) {
            final int shared = Racks.shared(node(each), rows(owner, kept, each));
            if (shared > most) {
                worst = each;
                most = shared;
            }
        }
        return worst;
    }

    private List<NodeRow> rows(NodeRef owner, List<NodeRef> kept, NodeRef without) {
        final List<NodeRow> rows = new ArrayList<>(List.of(node(owner)));
        kept.stream().filter(each -> !each.equals(without)).map(this::node).forEach(rows::add);
        return rows;
    }

    private void replace(ZoneRow row, List<NodeRef> kept, NodeRef from, @Nullable NodeRef to) {
        sets.remove(new Copysets.Holding(row.owner(), List.copyOf(kept)));
        kept.remove(from);
        if (to != null) {
            kept.add(to);
        }
        sets.add(new Copysets.Holding(row.owner(), List.copyOf(kept)));
        moves.add(new Move(row.zone(), to, from));
    }

    // ---- copysets ----

    private void regroup(List<ZoneRow> narrow) {
        final Copysets present = new Copysets();
        narrow.forEach(row -> present.add(Copysets.Holding.of(row)));
        final Map<List<Integer>, List<ZoneRow>> zonesOf = new HashMap<>();
        narrow.forEach(row -> zonesOf.computeIfAbsent(Copysets.Holding.of(row).set(), _ -> new ArrayList<>())
            .add(row));
        final boolean areFew = present.isWithin(2 * width, FEW * setsWanted());
        final List<ZoneRow> rest = new ArrayList<>();
        for (List<Integer> set : present.all()) {
            final List<ZoneRow> its = zonesOf.getOrDefault(set, List.of());
            if (choice(its.getFirst()).isUsable(set) && (areFew || isNarrowEnough(set))) {
                its.forEach(row -> sets.add(Copysets.Holding.of(row)));
            } else {
                rest.addAll(its);
            }
        }
        rest.sort(Comparator.comparingInt(ZoneRow::zone));
        rest.forEach(this::place);
    }

    /** Returns how many copysets a node needs for the width. */
    private int setsWanted() {
        return Math.ceilDiv(width, Math.max(1, backups));
    }

    /** Returns whether no node of a copyset would become too wide, or get too many copysets, by the copyset. */
    private boolean isNarrowEnough(List<Integer> set) {
        for (int nid : set) {
            if (sets.sets(nid).size() >= 2 * setsWanted()) {
                return false;
            }
            int added = 0;
            for (int other : set) {
                added += other != nid && !sets.areNear(nid, other) ? 1 : 0;
            }
            if (added > 0 && sets.width(nid) + added > width + Math.max(backups, width / 2)) {
                return false;
            }
        }
        return true;
    }

    private void place(ZoneRow row) {
        final BackupChoice choice = choice(row);
        final List<NodeRef> kept = new ArrayList<>(row.backups().stream().map(Backup::node).toList());
        final List<NodeRef> wanted = choice.references(closest(choice, row));
        sets.add(new Copysets.Holding(row.owner(), wanted));
        final List<NodeRef> leaving = new ArrayList<>(kept);
        leaving.removeAll(wanted);
        for (NodeRef to : wanted) {
            if (!kept.contains(to)) {
                moves.add(new Move(row.zone(), to, leaving.isEmpty() ? null : leaving.removeFirst()));
            }
        }
        leaving.forEach(from -> moves.add(new Move(row.zone(), null, from)));
    }

    /** Returns the copyset with the most present nodes of a zone; of equal ones the one with the fewest zones. */
    private List<Integer> closest(BackupChoice choice, ZoneRow row) {
        final NodeRef owner = row.owner();
        final int nid = owner == null ? 0 : owner.nid();
        if (sets.width(nid) < width) {
            return choice.copyset();
        }
        final Set<Integer> here = new HashSet<>(Copysets.Holding.of(row).set());
        List<Integer> best = null;
        for (List<Integer> set : sets.sets(nid)) {
            if (choice.isUsable(set) && (best == null || isCloser(set, best, here, nid))) {
                best = set;
            }
        }
        return best == null ? choice.copyset() : best;
    }

    private boolean isCloser(List<Integer> set, List<Integer> best, Set<Integer> here, int owner) {
        final long same = set.stream().filter(here::contains).count();
        final long sameOfBest = best.stream().filter(here::contains).count();
        if (same != sameOfBest) {
            return same > sameOfBest;
        }
        final int owned = sets.owned(owner, set);
        final int ownedOfBest = sets.owned(owner, best);
        return owned != ownedOfBest ? owned < ownedOfBest : Copysets.compare(set, best) < 0;
    }
}
