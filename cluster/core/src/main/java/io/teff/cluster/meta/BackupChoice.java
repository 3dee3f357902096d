package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses backups for the zones of an owner, at one moment of the tables.
 *
 * <p><b>Order of goals.</b> Copies in different racks first; then few {@linkplain Copysets copysets}; then equal
 * numbers of copies. In a cluster with no more other nodes than the scatter width, all nodes share zones with each
 * other, and {@link Placement} spreads new zones.
 *
 * <p>Pure, but for the index that the caller brings up to date between two choices. Deterministic.
 */
final class BackupChoice {
    private final Copysets sets;
    private final NodeRow owner;
    private final List<NodeRow> others;
    private final int backups;
    private final int width;
    private final boolean isNarrow;
    /** How many copies of a whole copyset must share a rack with another copy. */
    private final int sharedMin;

    /**
     * Begins a choice.
     *
     * @param sets the present copysets
     * @param nodes all nodes
     * @param owner of the zone
     * @param backups wanted number of backups of a zone
     * @param width the scatter width; 0 for all nodes
     */
    BackupChoice(Copysets sets, Collection<NodeRow> nodes, NodeRow owner, int backups, int width) {
        this.sets = sets;
        this.owner = owner;
        this.backups = backups;
        this.width = width;
        others = nodes.stream().filter(row -> row.isAlive() && row.roles().takesBackups() && row.nid() != owner.nid())
            .toList();
        isNarrow = width > 0 && others.size() > width;
        final boolean isAlone = others.stream().noneMatch(row -> Racks.areOne(owner, row));
        sharedMin = Math.max(0, backups + 1 - Racks.count(others) - (isAlone ? 1 : 0));
    }

    /** Returns the nodes suitable as backups, in the order of NIDs. */
    List<NodeRow> others() {
        return others;
    }

    /** Returns whether there are more nodes than a node should share zones with. */
    boolean isNarrow() {
        return isNarrow;
    }

    /**
     * Returns the backups of a new zone, in the order of preference.
     *
     * @param ordinal number of the zone among all zones ever given to the owner, from 0
     */
    List<NodeRef> ofNewZone(int ordinal) {
        if (!isNarrow) {
            return Placement.backups(ordinal, owner, others, backups);
        }
        final List<Integer> set = copyset();
        final List<NodeRef> chosen = references(set);
        Collections.rotate(chosen, sets.owned(owner.nid(), set));
        return chosen;
    }

    /** Returns the lives of the nodes of a copyset, without the owner. */
    List<NodeRef> references(List<Integer> set) {
        final List<NodeRef> chosen = new ArrayList<>();
        for (int nid : set) {
            final NodeRow row = nid == owner.nid() ? null : find(nid);
            if (row != null) {
                chosen.add(row.reference());
            }
        }
        return chosen;
    }

    /** Returns a copyset for another zone of the owner: a new copyset, or the one with the fewest of its zones. */
    List<Integer> copyset() {
        final List<Integer> present = leastUsed();
        if (present != null && sets.width(owner.nid()) >= width) {
            return present;
        }
        final List<Integer> fresh = newSet();
        return present != null && isWithoutGain(fresh) ? present : fresh;
    }

    private boolean isWithoutGain(List<Integer> set) {
        return set.stream().allMatch(nid -> nid == owner.nid() || sets.areNear(owner.nid(), nid));
    }

    private @Nullable List<Integer> leastUsed() {
        List<Integer> best = null;
        for (List<Integer> set : sets.sets(owner.nid())) {
            if (isUsable(set) && (best == null || isLess(set, best))) {
                best = set;
            }
        }
        return best;
    }

    private boolean isLess(List<Integer> set, List<Integer> best) {
        final int owned = sets.owned(owner.nid(), set);
        final int ownedOfBest = sets.owned(owner.nid(), best);
        if (owned != ownedOfBest) {
            return owned < ownedOfBest;
        }
        final int all = sets.count(set);
        final int allOfBest = sets.count(best);
        return all != allOfBest ? all < allOfBest : Copysets.compare(set, best) < 0;
    }

    /** Returns whether all nodes of a whole copyset can take copies, in as many racks as there can be. */
    boolean isUsable(List<Integer> set) {
        if (set.size() != backups + 1) {
            return false;
        }
        final List<NodeRow> rows = new ArrayList<>();
        for (int nid : set) {
            final NodeRow row = find(nid);
            if (row == null) {
                return false;
            }
            rows.add(row);
        }
        return Racks.surplus(rows) <= sharedMin;
    }

    private List<Integer> newSet() {
        final List<NodeRow> members = new ArrayList<>(List.of(owner));
        while (members.size() <= backups && members.size() <= others.size()) {
            NodeRow best = null;
            for (NodeRow node : others) {
                if (!members.contains(node) && (best == null || isBetter(node, best, members, Set.of()))) {
                    best = node;
                }
            }
            if (best == null) {
                break;
            }
            members.add(best);
        }
        return members.stream().map(NodeRow::nid).sorted().toList();
    }

    /**
     * Returns a further backup of a zone, or null without a suitable node.
     *
     * @param zone the nodes of the zone that count
     * @param without nodes not to be chosen
     */
    @Nullable NodeRow another(List<NodeRow> zone, Collection<NodeRef> without) {
        final Set<Integer> completing = isNarrow ? completing(zone) : Set.of();
        NodeRow best = null;
        for (NodeRow node : others) {
            if (!without.contains(node.reference()) && (best == null || isBetter(node, best, zone, completing))) {
                best = node;
            }
        }
        return best;
    }

    /** Returns the nodes that make some nodes a part of a present copyset. */
    private Set<Integer> completing(List<NodeRow> zone) {
        final List<Integer> nids = zone.stream().map(NodeRow::nid).toList();
        final Set<Integer> found = new HashSet<>();
        if (!nids.isEmpty()) {
            for (List<Integer> set : sets.sets(nids.getFirst())) {
                if (set.containsAll(nids) && isUsable(set)) {
                    found.addAll(set);
                }
            }
            nids.forEach(found::remove);
        }
        return found;
    }

    /** Returns whether a node is a better further member than another node. */
    private boolean isBetter(NodeRow node, NodeRow best, List<NodeRow> members, Set<Integer> completing) {
        int order = Integer.compare(Racks.shared(node, members), Racks.shared(best, members));
        if (order == 0 && isNarrow) {
            order = Boolean.compare(completing.contains(best.nid()), completing.contains(node.nid()));
            order = order != 0 ? order : Boolean.compare(isWide(node), isWide(best));
            order = order != 0 ? order : Integer.compare(near(node, members), near(best, members));
            order = order != 0 ? order : Integer.compare(sets.width(node.nid()), sets.width(best.nid()));
        }
        order = order != 0 ? order : Integer.compare(sets.copies(node.reference()), sets.copies(best.reference()));
        return order < 0;                                       // of equal nodes the first, in the order of NIDs
    }

    private boolean isWide(NodeRow node) {
        return sets.width(node.nid()) >= width;
    }

    private int near(NodeRow node, List<NodeRow> members) {
        int count = 0;
        for (NodeRow member : members) {
            count += sets.areNear(member.nid(), node.nid()) ? 1 : 0;
        }
        return count;
    }

    /** Returns the owner or a suitable node, or null. */
    private @Nullable NodeRow find(int nid) {
        if (nid == owner.nid()) {
            return owner;
        }
        int from = 0;
        int to = others.size();
        while (from < to) {                                     // the nodes are in the order of NIDs
            final int middle = from + to >>> 1;
            if (others.get(middle).nid() < nid) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from < others.size() && others.get(from).nid() == nid ? others.get(from) : null;
    }
}
