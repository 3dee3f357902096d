package io.teff.tools.graph;

import java.util.Arrays;

/** Sizes of groups of vertices, such as components: the group of each vertex is named by the number of a vertex. */
final class LargestGroups {
    private final int[] sizes;
    private final long[] order;

    /** Counts the vertices of each group. */
    LargestGroups(int[] groups) {
        sizes = new int[groups.length];
        for (int group : groups) {
            sizes[group]++;
        }
        // Size above number, so that the order of numbers is that of sizes, and of group numbers among equals.
        long[] all = new long[groups.length];
        int found = 0;
        for (int group = 0; group < sizes.length; group++) {
            if (sizes[group] > 0) {
                all[found++] = (long) -sizes[group] << Integer.SIZE | group;
            }
        }
        order = Arrays.copyOf(all, found);
        Arrays.sort(order);
    }

    int count() {
        return order.length;
    }

    /** The number of groups of one vertex. */
    int alone() {
        return (int) Arrays.stream(sizes).filter(it -> it == 1).count();
    }

    int size(int group) {
        return sizes[group];
    }

    /** The largest groups, the largest first. */
    int[] largest(int count) {
        return Arrays.stream(order).limit(count).mapToInt(it -> (int) it).toArray();
    }
}
