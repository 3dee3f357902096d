package io.teff.cluster.job;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/** The last groups that have ended at a peer. Thread-safe. */
final class EndedGroups {
    private static final int KEPT = 4_096;

    private final Set<GroupId> known = new HashSet<>();
    private final ArrayDeque<GroupId> order = new ArrayDeque<>();

    synchronized void add(GroupId id) {
        if (known.add(id)) {
            order.addLast(id);
            if (order.size() > KEPT) {
                known.remove(order.removeFirst());
            }
        }
    }

    synchronized boolean has(GroupId id) {
        return known.contains(id);
    }
}
