package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the backups of new zones in a cluster of few nodes: a pure function of the owner's zone count and the living
 * nodes. {@link Copysets} has the choice in a cluster of many nodes.
 *
 * <p>Zone k of an owner has its first backup at node k modulo n of the n remaining nodes, so that all remaining nodes
 * restore equal shares of a dead owner's zones. The second backup is at a distance that grows by one with each round of
 * the first backup, so that pairs differ, too, and a second failure meets as few zones as possible.
 *
 * <p><b>Racks.</b> Each turn goes round the nodes whose rack has the fewest copies of the zone. A rack without a copy
 * has fewer copies than any other, so two copies share a rack only when each rack has a copy. Without racks all nodes
 * take part in each turn.
 */
final class Placement {
    private Placement() {}

    /**
     * Chooses backups.
     *
     * @param ordinal number of the zone among all zones ever given to the owner, from 0
     * @param owner of the zone
     * @param others nodes suitable as backups, without the owner, in the order of NIDs
     * @param count number of backups wanted
     * @return the wanted number of nodes, or all if there are fewer, in the order of preference
     */
    static List<NodeRef> backups(int ordinal, NodeRow owner, List<NodeRow> others, int count) {
        List<NodeRef> chosen = new ArrayList<>();
        List<NodeRow> holders = new ArrayList<>(List.of(owner));
        List<NodeRow> rest = new ArrayList<>(others);
        int turn = ordinal;
        while (chosen.size() < count && !rest.isEmpty()) {
            List<NodeRow> apart = apart(rest, holders);
            int size = apart.size();
            int at = turn % size;
            turn = turn / size + (chosen.isEmpty() ? at : 0);
            NodeRow next = apart.get(at);
            rest.remove(next);
            holders.add(next);
            chosen.add(next.reference());
        }
        return chosen;
    }

    /** Returns the nodes whose racks have the fewest of the holders. */
    private static List<NodeRow> apart(List<NodeRow> nodes, List<NodeRow> holders) {
        List<NodeRow> best = new ArrayList<>();
        int least = Integer.MAX_VALUE;
        for (NodeRow node : nodes) {
            int shared = Racks.shared(node, holders);
            if (shared < least) {
                best.clear();
                least = shared;
            }
            if (shared == least) {
                best.add(node);
            }
        }
        return best;
    }
}
