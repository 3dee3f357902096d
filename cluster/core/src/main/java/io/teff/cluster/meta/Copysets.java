package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The copysets of a cluster. A <b>copyset</b> is the set of nodes with all copies of a zone: the owner and its backups.
 * A zone is lost only if a whole copyset is lost. So with few different copysets the loss of several nodes at once
 * rarely loses a zone. The price is that such a loss then takes more zones, and that fewer nodes restore the zones of a
 * lost owner: the <b>scatter width</b> is the number of nodes with which a node shares zones.
 *
 * <p><b>No table of its own.</b> The copysets are those of the rows of zones, so nothing new is replicated, kept or
 * repaired, and copysets grow with the cluster: a node begins a copyset while its width is below the wanted width, and
 * takes part in present copysets afterwards. The objects of this class are an index of the rows, which each new row
 * brings up to date.
 *
 * <p><b>Bounds.</b> A new copyset has R nodes: it adds at most R - 1 to the width of a node below the wanted width S.
 * Other nodes are chosen below S first. So a cluster of n nodes has about n S / (R (R - 1)) copysets. The copies of a
 * lost node are made anew such that zones with the same remaining nodes share the same new node, so a copyset is
 * replaced by one copyset.
 *
 * <p>Cidon, Rumble, Stutsman, Katti, Ousterhout, Rosenblum: Copysets: Reducing the Frequency of Data Loss in Cloud
 * Storage, USENIX ATC 2013. The growth of copysets with the cluster, instead of permutations of all nodes, is Teff's.
 *
 * <p>Deterministic: each choice is the least in a total order. Not thread-safe.
 */
final class Copysets {
    private final Map<NodeRef, Integer> copies = new HashMap<>();
    private final Map<List<Integer>, Integer> counts = new HashMap<>();
    private final Map<Integer, Site> sites = new HashMap<>();

    /** The copysets at a node. */
    private static final class Site {
        /** Nodes with which the node shares copysets, and the numbers of these copysets. */
        final Map<Integer, Integer> near = new HashMap<>();
        final Set<List<Integer>> sets = new HashSet<>();
        /** Zones owned by the node, by their copysets. */
        final Map<List<Integer>, Integer> owned = new HashMap<>();
    }

    /**
     * The nodes of a zone.
     *
     * @param owner the owner, or null
     * @param receivers backups and learners
     */
    record Holding(@Nullable NodeRef owner, List<NodeRef> receivers) {
        static Holding of(ZoneRow row) {
            return new Holding(row.owner(), row.receivers().stream().map(Backup::node).toList());
        }

        /** Returns the NIDs, in ascending order. */
        List<Integer> set() {
            final Set<Integer> all = new TreeSet<>();
            if (owner != null) {
                all.add(owner.nid());
            }
            receivers.forEach(node -> all.add(node.nid()));
            return List.copyOf(all);
        }
    }

    // ---- the index ----

    /** Replaces the row of a zone; {@code before} is null for a new zone. */
    void replace(@Nullable ZoneRow before, ZoneRow after) {
        final Holding old = before == null ? null : Holding.of(before);
        final Holding now = Holding.of(after);
        if (now.equals(old)) {
            return;
        }
        if (old != null) {
            remove(old);
        }
        add(now);
    }

    void add(Holding zone) {
        zone.receivers().forEach(node -> copies.merge(node, 1, Integer::sum));
        final List<Integer> set = zone.set();
        if (counts.merge(set, 1, Integer::sum) == 1) {
            for (int nid : set) {
                final Site site = sites.computeIfAbsent(nid, _ -> new Site());
                site.sets.add(set);
                set.stream().filter(other -> other != nid).forEach(other -> site.near.merge(other, 1, Integer::sum));
            }
        }
        if (zone.owner() != null) {
            site(zone.owner().nid()).owned.merge(set, 1, Integer::sum);
        }
    }

    void remove(Holding zone) {
        zone.receivers().forEach(node -> less(copies, node));
        final List<Integer> set = zone.set();
        if (zone.owner() != null) {
            less(site(zone.owner().nid()).owned, set);
        }
        less(counts, set);
        if (!counts.containsKey(set)) {
            for (int nid : set) {
                final Site site = site(nid);
                site.sets.remove(set);
                set.stream().filter(other -> other != nid).forEach(other -> less(site.near, other));
                if (site.sets.isEmpty()) {
                    sites.remove(nid);
                }
            }
        }
    }

    private Site site(int nid) {
        final Site site = sites.get(nid);
        if (site == null) {
            throw new IllegalStateException("no copyset has node " + nid);
        }
        return site;
    }

    private static <K> void less(Map<K, Integer> counts, K key) {
        final int left = counts.getOrDefault(key, 1) - 1;
        if (left == 0) {
            counts.remove(key);
        } else {
            counts.put(key, left);
        }
    }

    /** Returns how many zones have a copy or a beginning copy at a life of a node. */
    int copies(NodeRef node) {
        return copies.getOrDefault(node, 0);
    }

    /** Returns with how many nodes a node shares zones. */
    int width(int nid) {
        final Site site = sites.get(nid);
        return site == null ? 0 : site.near.size();
    }

    /** Returns whether two nodes share a zone. */
    boolean areNear(int first, int second) {
        final Site site = sites.get(first);
        return site != null && site.near.containsKey(second);
    }

    /** Returns how many zones have a copyset. */
    int count(List<Integer> set) {
        return counts.getOrDefault(set, 0);
    }

    /** Returns how many zones of an owner have a copyset. */
    int owned(int owner, List<Integer> set) {
        final Site site = sites.get(owner);
        return site == null ? 0 : site.owned.getOrDefault(set, 0);
    }

    /** Returns the copysets of a node. */
    Set<List<Integer>> sets(int nid) {
        final Site site = sites.get(nid);
        return site == null ? Set.of() : Collections.unmodifiableSet(site.sets);
    }

    /** Returns whether no node shares zones with more nodes, or has more copysets, than the limits. */
    boolean isWithin(int widthMax, int setsMax) {
        return sites.values().stream().allMatch(site -> site.near.size() <= widthMax && site.sets.size() <= setsMax);
    }

    /** Returns all copysets, those of the most zones first. */
    List<List<Integer>> all() {
        final List<List<Integer>> all = new ArrayList<>(counts.keySet());
        all.sort((first, second) -> count(first) != count(second) ? Integer.compare(count(second), count(first))
            : compare(first, second));
        return all;
    }

    /** Returns the order of two copysets. */
    static int compare(List<Integer> first, List<Integer> second) {
        for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
            if (!first.get(i).equals(second.get(i))) {
                return Integer.compare(first.get(i), second.get(i));
            }
        }
        return Integer.compare(first.size(), second.size());
    }

    /** Checks that this is the index of some rows; throws {@link IllegalStateException} if not. */
    void audit(Iterable<ZoneRow> rows) {
        final Copysets fresh = new Copysets();
        rows.forEach(row -> fresh.replace(null, row));
        if (!fresh.copies.equals(copies) || !fresh.counts.equals(counts)
            || !fresh.sites.keySet().equals(sites.keySet())) {
            throw new IllegalStateException("metadata audit: the copysets are not those of the rows");
        }
        sites.forEach((nid, site) -> {
            final Site other = fresh.site(nid);
            if (!other.near.equals(site.near) || !other.sets.equals(site.sets) || !other.owned.equals(site.owned)) {
                throw new IllegalStateException("metadata audit: the copysets of node " + nid);
            }
        });
    }
}
