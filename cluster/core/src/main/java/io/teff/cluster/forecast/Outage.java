package io.teff.cluster.forecast;

import java.util.Arrays;
import java.util.Collection;
import java.util.SplittableRandom;

/** Draws peers that are lost together, and finds whether a group of peers with all copies of a zone is among them. */
final class Outage {
    private final int nodes;
    private final int[][] groups;

    /**
     * Begins with groups.
     *
     * @param nodes number of all nodes
     * @param groups groups of nodes that hold all copies of a zone, by numbers from 0
     */
    Outage(int nodes, Collection<int[]> groups) {
        this.nodes = nodes;
        this.groups = groups.toArray(int[][]::new);
    }

    /**
     * Returns in what part of draws a whole group is lost.
     *
     * @param lost number of nodes lost together
     * @param draws number of draws
     * @param random chance
     */
    double lossPart(int lost, int draws, SplittableRandom random) {
        final int[] order = new int[nodes];
        Arrays.setAll(order, i -> i);
        final boolean[] isLost = new boolean[nodes];
        int losses = 0;
        for (int draw = 0; draw < draws; draw++) {
            for (int i = 0; i < lost; i++) {                    // the first part of a shuffle
                final int at = i + random.nextInt(nodes - i);
                final int node = order[at];
                order[at] = order[i];
                order[i] = node;
                isLost[node] = true;
            }
            losses += isAnyLost(isLost) ? 1 : 0;
            for (int i = 0; i < lost; i++) {
                isLost[order[i]] = false;
            }
        }
        return (double) losses / draws;
    }

    private boolean isAnyLost(boolean[] isLost) {
        for (int[] group : groups) {
            int count = 0;
            while (count < group.length && isLost[group[count]]) {
                count++;
            }
            if (count == group.length) {
                return true;
            }
        }
        return false;
    }
}
