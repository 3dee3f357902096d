package io.teff.test.bench.graph;

import io.teff.graph.algorithms.Team;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.cluster.RunFigures;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.Workers;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Runs algorithms on one machine and on the parts of the same graph, one after the other.
 *
 * @param graph the graph of one machine
 * @param threads of one machine
 * @param team the same threads
 * @param root where searches and paths begin
 * @param runs of the graph in parts
 * @param processorNs processor time of all processes until now
 */
record PartsTrial(FrozenGraph graph, Workers threads, Team team, int root, PartedRuns runs, LongSupplier processorNs) {
    /** Rounds of PageRank and of communities. */
    static final int ROUNDS = 10;
    private static final double MS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * The cost of a run; a time of the processes of all nodes and of this process.
     *
     * @param ms time by the clock
     * @param processorMs processor time
     */
    record Cost(double ms, double processorMs) {
        static final Cost NONE = new Cost(Double.NaN, Double.NaN);
    }

    /**
     * The figures of one algorithm in one round.
     *
     * @param arrays cost of the algorithm over arrays
     * @param program cost of the program on one machine; not a number without a program
     * @param cluster cost of the program in the cluster
     * @param supersteps of the program
     * @param messagesPerEdge messages that have left, divided by the edges
     * @param bytesPerEdge bytes of these messages, divided by the edges
     * @param isEqual whether the results of one machine and of the cluster are equal
     */
    record Figures(Cost arrays, Cost program, Cost cluster, long supersteps, double messagesPerEdge,
                   double bytesPerEdge, boolean isEqual) {
        /** Time of the cluster, divided by that of the same program on one machine. */
        double programRatio() {
            return cluster.ms / program.ms;
        }

        /** Time of the cluster, divided by that of the algorithm over arrays. */
        double arraysRatio() {
            return cluster.ms / arrays.ms;
        }

        /** Processor time of the cluster, divided by that of the same program on one machine. */
        double processorRatio() {
            return cluster.processorMs / program.processorMs;
        }
    }

    static PartsTrial of(FrozenGraph graph, Workers threads, PartedRuns runs, LongSupplier processorNs) {
        int root = 0;
        while (root < graph.vertexCount() - 1 && graph.degree(root) == 0) {
            root++;
        }
        return new PartsTrial(graph, threads, new Team(threads), root, runs, processorNs);
    }

    /** Work whose cost is measured. */
    private interface Work<T> {
        T run();
    }

    /** The result of a work, and its cost. */
    private record Measured<T>(T result, Cost cost) {}

    private <T> Measured<T> measure(Work<T> work) {
        long processor = processorNs.getAsLong();
        long begin = System.nanoTime();
        T result = work.run();
        double ms = (System.nanoTime() - begin) / MS;
        return new Measured<>(result, new Cost(ms, (processorNs.getAsLong() - processor) / MS));
    }

    Figures run(PartsAlgorithm algorithm) {
        Measured<double[]> arrays = measure(() -> algorithm.arrays(this));
        Measured<Boolean> program = measure(() -> algorithm.program(this));
        Measured<double[]> cluster = measure(() -> algorithm.cluster(this));
        RunFigures cost = runs.figures();
        double edges = graph.arcCount() / 2.0;
        return new Figures(arrays.cost, program.result ? program.cost : Cost.NONE, cluster.cost, cost.supersteps(),
            cost.sentCount() / edges, cost.sentBytes() / edges, algorithm.isEqual(arrays.result, cluster.result));
    }
}
