package io.teff.graph.frozen;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ConcurrentModificationException;
import org.jspecify.annotations.Nullable;

/** Copies one direction of a graph into arrays. */
final class GraphCopy {
    private final Adjacency graph;
    private final MemorySegment targets;
    private final @Nullable MemorySegment weights;

    private GraphCopy(Adjacency graph, long arcCount, Arena arena) {
        this.graph = graph;
        targets = arena.allocate(Math.max(arcCount, 1) * FrozenGraph.TARGET_BYTES, Long.BYTES);
        weights = graph.weighted() ? arena.allocate(Math.max(arcCount, 1) * Double.BYTES, Long.BYTES) : null;
    }

    static FrozenGraph copy(Adjacency graph, Workers workers, Arena arena) {
        int vertexCount = graph.vertexCount();
        int[] degrees = new int[vertexCount];
        workers.ranges(vertexCount, FrozenGraph.grain(), (from, to, worker) -> {
            Neighbours cursor = graph.neighbours();
            for (int vertex = from; vertex < to; vertex++) {
                degrees[vertex] = cursor.open(vertex);
            }
        });
        long[] starts = FrozenGraph.starts(degrees);
        GraphCopy copy = new GraphCopy(graph, starts[vertexCount], arena);
        FrozenGraph frozen = new FrozenGraph(graph.directed(), starts, copy.targets, copy.weights);
        workers.ranges(vertexCount, FrozenGraph.grain(), (from, to, worker) -> copy.runs(frozen, degrees, from, to));
        return frozen;
    }

    private void runs(FrozenGraph frozen, int[] degrees, int from, int to) {
        Neighbours cursor = graph.neighbours();
        int[] run = new int[64];
        double[] weight = new double[weights == null ? 0 : 64];
        for (int vertex = from; vertex < to; vertex++) {
            int length = cursor.open(vertex);
            if (length != degrees[vertex]) {
                throw new ConcurrentModificationException("vertex " + vertex + " had " + degrees[vertex]
                    + " neighbours, and has " + length);
            }
            long place = frozen.start(vertex);
            run = run.length < length ? new int[length] : run;
            if (weights == null) {
                cursor.next(run, length);
            } else {
                weight = weight.length < length ? new double[length] : weight;
                for (int i = 0; i < length; i++) {
                    run[i] = cursor.next();
                    weight[i] = cursor.weight();
                }
                FrozenGraph.putWeights(weight, 0, weights, place, length);
            }
            FrozenGraph.putTargets(run, 0, targets, place, length);
        }
    }
}
