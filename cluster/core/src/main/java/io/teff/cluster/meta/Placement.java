package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the backups of new zones: a pure function of the owner's zone count and the nodes that live.
 *
 * <p>Zone k of an owner has its first backup at node k modulo n of the n others, so that the zones of a dead owner are
 * restored by all others in equal shares. The second one is at a distance that grows by one with each round of the
 * first, so that pairs differ, too, and a second failure meets as few zones as possible.
 */
final class Placement {
    private Placement() {}

    /**
     * Chooses backups.
     *
     * @param ordinal number of the zone among those that the owner was ever given, from 0
     * @param others nodes that can take backups, without the owner, in the order of their NIDs
     * @param count number of backups wanted
     * @return as many of the others as are wanted, or all, in the order of preference
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
