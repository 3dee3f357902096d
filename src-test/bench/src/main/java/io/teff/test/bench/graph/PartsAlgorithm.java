package io.teff.test.bench.graph;

import io.teff.graph.algorithms.Communities;
import io.teff.graph.algorithms.Cores;
import io.teff.graph.algorithms.ShortestPaths;
import io.teff.graph.algorithms.Triangles;
import io.teff.graph.algorithms.program.Supersteps;
import io.teff.graph.cluster.PartedAlgorithms;
import io.teff.graph.cluster.ProgramFactory;
import io.teff.graph.kernel.BreadthFirst;
import io.teff.graph.kernel.Components;
import io.teff.graph.kernel.PageRank;
import io.teff.graph.kernel.ParentTree;
import io.teff.graph.work.WorkWatch;
import io.teff.test.bench.store.Named;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.IntStream;

/** An algorithm on one machine, and on parts of the graph in a cluster. Results are arrays. */
enum PartsAlgorithm implements Named {
    BFS(it -> levels(new BreadthFirst(it.graph(), it.threads()).search(it.root())), it -> program(it, "bfs",
        numbers(it.root())), it -> levels(PartedAlgorithms.search(it.runs(), it.root()))),
    COMPONENTS(it -> components(it), it -> program(it, "components", numbers()),
        it -> whole(PartedAlgorithms.components(it.runs()))),
    PAGERANK(it -> scores(it), it -> program(it, "pagerank", rankSettings()), it -> PartedAlgorithms.ranks(it.runs(),
        PartsTrial.ROUNDS, PageRank.DAMPING)),
    PATHS(it -> ShortestPaths.lengths(it.graph(), it.team(), it.root()), it -> program(it, "paths",
        numbers(it.root())), it -> PartedAlgorithms.paths(it.runs(), it.root())),
    COMMUNITIES(it -> whole(Communities.labels(it.graph(), it.team(), PartsTrial.ROUNDS)), it -> program(it,
        "communities", numbers(PartsTrial.ROUNDS)), it -> whole(PartedAlgorithms.communities(it.runs(),
            PartsTrial.ROUNDS))),
    CORES(it -> whole(Cores.numbers(it.graph(), it.team())), it -> program(it, "cores", numbers()),
        it -> whole(PartedAlgorithms.cores(it.runs()))),
    TRIANGLES(it -> new double[] {Triangles.count(it.graph(), it.team())}, it -> false,
        it -> new double[] {PartedAlgorithms.triangles(it.runs())});

    /** Sums of doubles have another order in a cluster. */
    private static final double EXACT = 1e-9;

    private final Function<PartsTrial, double[]> arrays;
    private final Function<PartsTrial, Boolean> program;
    private final Function<PartsTrial, double[]> cluster;

    PartsAlgorithm(Function<PartsTrial, double[]> arrays, Function<PartsTrial, Boolean> program,
                   Function<PartsTrial, double[]> cluster) {
        this.arrays = arrays;
        this.program = program;
        this.cluster = cluster;
    }

    /** Runs the algorithm over arrays of one machine. */
    double[] arrays(PartsTrial trial) {
        return arrays.apply(trial);
    }

    /** Runs the program of the cluster on one machine; returns whether there is such a program. */
    boolean program(PartsTrial trial) {
        return program.apply(trial);
    }

    /** Runs the algorithm on the parts. */
    double[] cluster(PartsTrial trial) {
        return cluster.apply(trial);
    }

    /** Returns whether two results are equal; scores may differ by the rounding of sums. */
    boolean isEqual(double[] one, double[] two) {
        if (this != PAGERANK) {
            return Arrays.equals(one, two);
        }
        return one.length == two.length && IntStream.range(0, one.length)
            .allMatch(vertex -> Math.abs(one[vertex] - two[vertex]) <= EXACT * one[vertex]);
    }

    // ---- forms ----

    private static double[] levels(ParentTree tree) {
        return whole(tree.levels());
    }

    private static double[] whole(int[] numbers) {
        return Arrays.stream(numbers).asDoubleStream().toArray();
    }

    private static double[] components(PartsTrial trial) {
        Components components = Components.of(trial.graph(), trial.threads());
        return IntStream.range(0, trial.graph().vertexCount()).map(components::component).asDoubleStream().toArray();
    }

    private static double[] scores(PartsTrial trial) {
        PageRank rank = PageRank.ldbc(trial.graph(), PartsTrial.ROUNDS, PageRank.DAMPING, trial.threads(),
            WorkWatch.NONE);
        return IntStream.range(0, rank.vertexCount()).mapToDouble(rank::score).toArray();
    }

    private static boolean program(PartsTrial trial, String name, byte[] settings) {
        Supersteps.run(trial.graph(), trial.team(), ProgramFactory.of(name, settings), Integer.MAX_VALUE);
        return true;
    }

    private static byte[] numbers(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    private static byte[] rankSettings() {
        return ByteBuffer.allocate(Integer.BYTES + Double.BYTES).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(PartsTrial.ROUNDS).putDouble(PageRank.DAMPING).array();
    }
}
