package io.teff.cluster.meta;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Racks of nodes: nodes of one rack fail together. A node without a name has a rack of its own, so a cluster without
 * names is placed as if each failure took one node, and names can be given node by node. Pure functions.
 */
final class Racks {
    private Racks() {}

    /** Returns whether two nodes fail together. */
    static boolean areOne(NodeRow first, NodeRow second) {
        return !first.rack().isEmpty() && first.rack().equals(second.rack());
    }

    /** Returns how many of some nodes are in the rack of a node. */
    static int shared(NodeRow node, List<NodeRow> others) {
        int count = 0;
        for (NodeRow other : others) {
            count += areOne(node, other) ? 1 : 0;
        }
        return count;
    }

    /** Returns the number of racks of some nodes. */
    static int count(Collection<NodeRow> nodes) {
        final Set<String> names = new HashSet<>();
        int unnamed = 0;
        for (NodeRow node : nodes) {
            if (node.rack().isEmpty()) {
                unnamed++;
            } else {
                names.add(node.rack());
            }
        }
        return names.size() + unnamed;
    }

    /** Returns how many of some nodes are in a rack with an earlier node of the list. */
    static int surplus(Collection<NodeRow> nodes) {
        return nodes.size() - count(nodes);
    }
}
