package io.teff.test.bench.graph;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import java.util.SplittableRandom;

/**
 * Edges of Graph500's Kronecker graph with probabilities 0.57, 0.19, 0.19 and 0.05 and mixed numbers, in memory, so
 * that a load does not measure their making.
 */
final class Kronecker implements EdgeSource {
    private static final int DEGREE = 16;
    private static final int PART_EDGES = 1 << 16;
    private static final double UPPER = 0.57 + 0.19;
    private static final double LEFT_OF_UPPER = 0.57 / UPPER;
    private static final double LEFT_OF_LOWER = 0.19 / (1 - UPPER);
    private static final long SEED = 27_491_095;

    private final int scale;
    private final int[] sources;
    private final int[] targets;

    Kronecker(int scale) {
        this.scale = scale;
        int count = DEGREE << scale;
        sources = new int[count];
        targets = new int[count];
        int[] numbers = new int[1 << scale];
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < numbers.length; i++) {
            int other = random.nextInt(i + 1);
            numbers[i] = numbers[other];
            numbers[other] = i;
        }
        for (int edge = 0; edge < count; edge++) {
            int source = 0;
            int target = 0;
            for (int bit = 0; bit < scale; bit++) {
                boolean isLower = random.nextDouble() > UPPER;
                boolean isRight = random.nextDouble() > (isLower ? LEFT_OF_LOWER : LEFT_OF_UPPER);
                source |= (isLower ? 1 : 0) << bit;
                target |= (isRight ? 1 : 0) << bit;
            }
            sources[edge] = numbers[source];
            targets[edge] = numbers[target];
        }
    }

    @Override
    public long vertexCount() {
        return 1L << scale;
    }

    @Override
    public long edgeCount() {
        return sources.length;
    }

    @Override
    public boolean directed() {
        return false;
    }

    @Override
    public boolean weighted() {
        return false;
    }

    @Override
    public int parts() {
        return Math.ceilDiv(sources.length, PART_EDGES);
    }

    @Override
    public void read(int part, EdgeSink sink) {
        int end = Math.min(sources.length, (part + 1) * PART_EDGES);
        for (int edge = part * PART_EDGES; edge < end; edge++) {
            sink.edge(sources[edge], targets[edge], 1);
        }
    }
}
