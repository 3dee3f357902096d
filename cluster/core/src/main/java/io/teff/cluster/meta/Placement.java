package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the backups of new zones: a pure function of the owner's zone count and the living nodes.
 *
 * <p>Zone k of an owner has its first backup at node k modulo n of the n remaining nodes, so that all remaining nodes
 * restore equal shares of a dead owner's zones. The second backup is at a distance that grows by one with each round of
 * the first backup, so that pairs differ, too, and a second failure meets as few zones as possible.
 */
final class Placement {
    private Placement() {}

    /**
     * Chooses backups.
     *
     * @param ordinal number of the zone among all zones ever given to the owner, from 0
     * @param others nodes suitable as backups, without the owner, in the order of NIDs
     * @param count number of backups wanted
     * @return the wanted number of nodes, or all if there are fewer, in the order of preference
     */
    static List<NodeRef> backups(int ordinal, List<NodeRef> others, int count) {
        List<NodeRef> chosen = new ArrayList<>();
        List<NodeRef> rest = new ArrayList<>(others);
        int turn = ordinal;
        while (chosen.size() < count && !rest.isEmpty()) {
            int size = rest.size();
            int at = turn % size;
            turn = turn / size + (chosen.isEmpty() ? at : 0);
            chosen.add(rest.remove(at));
        }
        return chosen;
    }
}
