package io.teff.engine.work;

import java.util.ArrayList;
import java.util.List;

/**
 * The tree of nodes in which a step goes down and its end comes up, so that no node talks to more than some nodes; pure
 * functions. A node gets a list with itself first. It keeps its own part, cuts the rest into at most {@link #FAN_OUT}
 * lists of nearly equal length, and sends each list to its first node. So n nodes have a depth of at most the logarithm
 * of n to the base {@link #FAN_OUT}, rounded up.
 */
public final class StepTree {
    /** Most children of a node. */
    public static final int FAN_OUT = 4;

    private StepTree() {}

    /**
     * Cuts what is below a node into the lists of its children.
     *
     * @param <T> type of the parts
     * @param below the parts of all nodes below, in any order
     * @return the lists, none of them empty
     */
    public static <T> List<List<T>> children(List<T> below) {
        final List<List<T>> lists = new ArrayList<>();
        final int count = Math.min(FAN_OUT, below.size());
        int from = 0;
        for (int i = 0; i < count; i++) {
            final int to = (int) ((long) below.size() * (i + 1) / count);
            lists.add(below.subList(from, to));
            from = to;
        }
        return lists;
    }
}
