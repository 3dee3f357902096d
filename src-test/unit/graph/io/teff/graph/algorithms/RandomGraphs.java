package io.teff.graph.algorithms;

import io.teff.graph.algorithms.ArrayGraph.Edge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Random graphs of a wished size. */
public final class RandomGraphs {
    private static final int WEIGHT_MAX = 255;

    private RandomGraphs() {}

    /** A simple graph with edges between random vertices, with weights from 1 to 255. */
    public static ArrayGraph uniform(SplittableRandom random, int vertexCount, int edgeCount, boolean directed) {
        Set<Long> known = new HashSet<>();
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < edgeCount; i++) {
            int source = random.nextInt(vertexCount);
            int target = random.nextInt(vertexCount);
            int first = directed ? source : Math.min(source, target);
            int second = directed ? target : Math.max(source, target);
            if (source != target && known.add((long) first << 32 | second)) {
                edges.add(new Edge(source, target, 1 + random.nextInt(WEIGHT_MAX)));
            }
        }
        return ArrayGraph.of(vertexCount, directed, true, edges);
    }

    /**
     * A simple undirected graph like those of Graph500, with the chances 0.57, 0.19, 0.19, 0.05 and shuffled numbers,
     * and with weights from 1 to 255 by a hash of the edge.
     */
    public static ArrayGraph kronecker(long seed, int scale, int degree) {
        SplittableRandom random = new SplittableRandom(seed);
        int count = 1 << scale;
        int[] names = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i + 1);
            names[i] = names[other];
            names[other] = i;
        }
        long[] arcs = new long[Math.toIntExact(2L * degree * count)];
        for (int i = 0; i < arcs.length; i += 2) {
            int source = 0;
            int target = 0;
            for (int bit = 0; bit < scale; bit++) {
                double chance = random.nextDouble();
                source |= (chance > 0.76 ? 1 : 0) << bit;
                target |= (chance > 0.95 || chance > 0.57 && chance <= 0.76 ? 1 : 0) << bit;
            }
            arcs[i] = (long) names[source] << 32 | names[target];
            arcs[i + 1] = (long) names[target] << 32 | names[source];
        }
        return simple(count, arcs);
    }

    /** A square of crossings, each with streets to its neighbours; long shortest paths. */
    public static ArrayGraph grid(long seed, int side) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Edge> edges = new ArrayList<>();
        for (int vertex = 0; vertex < side * side; vertex++) {
            if (vertex % side > 0) {
                edges.add(new Edge(vertex, vertex - 1, 1 + random.nextInt(WEIGHT_MAX)));
            }
            if (vertex >= side) {
                edges.add(new Edge(vertex, vertex - side, 1 + random.nextInt(WEIGHT_MAX)));
            }
        }
        return ArrayGraph.of(side * side, false, true, edges);
    }

    private static ArrayGraph simple(int count, long[] arcs) {
        Arrays.parallelSort(arcs);
        long[] starts = new long[count + 1];
        int[] targets = new int[arcs.length];
        double[] weights = new double[arcs.length];
        int kept = 0;
        for (int i = 0; i < arcs.length; i++) {
            int source = (int) (arcs[i] >>> 32);
            int target = (int) arcs[i];
            if (source != target && (i == 0 || arcs[i] != arcs[i - 1])) {
                targets[kept] = target;
                weights[kept] = weight(Math.min(source, target), Math.max(source, target));
                kept++;
            }
            starts[source + 1] = kept;
        }
        for (int i = 0; i < count; i++) {
            starts[i + 1] = Math.max(starts[i + 1], starts[i]);
        }
        return ArrayGraph.undirected(starts, Arrays.copyOf(targets, kept),
            Arrays.copyOf(weights, kept));
    }

    private static int weight(long low, long high) {
        long hash = (low << 32 | high) * 0x9E3779B97F4A7C15L;
        return 1 + (int) ((hash >>> 40) % WEIGHT_MAX);
    }
}
