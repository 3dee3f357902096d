package io.teff.test.bench.graph;

import io.teff.graph.algorithms.Team;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.cluster.RunFigures;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.Workers;
import java.util.concurrent.TimeUnit;

/**
 * Runs algorithms on one machine and on the parts of the same graph, one after the other.
 *
 * @param graph the graph of one machine
 * @param threads of one machine
 * @param team the same threads
 * @param root where searches and paths begin
 * @param runs of the graph in parts
 */
record PartsTrial(FrozenGraph graph, Workers threads, Team team, int root, PartedRuns runs) {
    /** Rounds of PageRank and of communities. */
    static final int ROUNDS = 10;
    private static final double MS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * The figures of one algorithm in one round.
     *
     * @param arraysMs time of the algorithm over arrays
     * @param programMs time of the program on one machine; not a number without a program
     * @param clusterMs time of the program in the cluster
     * @param supersteps of the program
     * @param messagesPerEdge messages that have left, divided by the edges
     * @param bytesPerEdge bytes of these messages, divided by the edges
     * @param isEqual whether the results of one machine and of the cluster are equal
     */
    record Figures(double arraysMs, double programMs, double clusterMs, long supersteps, double messagesPerEdge,
                   double bytesPerEdge, boolean isEqual) {
        /** Time of the cluster, divided by that of the same program on one machine. */
        double programRatio() {
            return clusterMs / programMs;
        }

        /** Time of the cluster, divided by that of the algorithm over arrays. */
        double arraysRatio() {
            return clusterMs / arraysMs;
        }
    }

    static PartsTrial of(FrozenGraph graph, Workers threads, PartedRuns runs) {
        int root = 0;
        while (root < graph.vertexCount() - 1 && graph.degree(root) == 0) {
            root++;
        }
        return new PartsTrial(graph, threads, new Team(threads), root, runs);
    }

    Figures run(PartsAlgorithm algorithm) {
        long begin = System.nanoTime();
        double[] expected = algorithm.arrays(this);
        long arrays = System.nanoTime();
        boolean hasProgram = algorithm.program(this);
        long program = System.nanoTime();
        double[] found = algorithm.cluster(this);
        long cluster = System.nanoTime();
        RunFigures cost = runs.figures();
        double edges = graph.arcCount() / 2.0;
        return new Figures((arrays - begin) / MS, hasProgram ? (program - arrays) / MS : Double.NaN,
            (cluster - program) / MS, cost.supersteps(), cost.sentCount() / edges, cost.sentBytes() / edges,
            algorithm.isEqual(expected, found));
    }
}
