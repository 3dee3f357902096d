package io.teff.test.conformance;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.graph.algorithms.Communities;
import io.teff.graph.algorithms.Cores;
import io.teff.graph.algorithms.ShortestPaths;
import io.teff.graph.algorithms.Team;
import io.teff.graph.algorithms.Triangles;
import io.teff.graph.algorithms.program.Supersteps;
import io.teff.graph.cluster.PartedAlgorithms;
import io.teff.graph.cluster.PartedGraph;
import io.teff.graph.cluster.PartedLoader;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.cluster.ProgramFactory;
import io.teff.graph.cluster.RunOptions;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.generate.GeneratorForm;
import io.teff.graph.kernel.BreadthFirst;
import io.teff.graph.kernel.Components;
import io.teff.graph.kernel.PageRank;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.clusters.OneProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Prints figures of graphs in parts, for decision records. Each line has the times of one round in ms: the algorithm
 * over arrays, the program of vertices on one machine, the parts on a store of this JVM, and the parts on peers inside
 * of this process.
 */
final class PartedGraphFigures {
    private static final int ROUNDS = 10;
    private static final int REPEATS = 5;
    private static final double DAMPING = 0.85;
    private static final double MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int PEERS = 4;
    private static final long MEMORY_BYTES = 3L << 30;

    private PartedGraphFigures() {}

    /** Takes the scale, and at will words for algorithms. */
    public static void main(String[] arguments) throws IOException {
        int scale = Integer.parseInt(arguments[0]);
        Path folder = Files.createTempDirectory("teff-graph-figures");
        try (Workers threads = Workers.ofProcessors();
            OneProcess cluster = OneProcess.start("figures", folder, PEERS, 1);
            ChunkStore remote = ChunkStore.open(cluster.address());
            Store local = Store.open(StoreConfig.builder().memoryLimitBytes(MEMORY_BYTES).build())) {
            FrozenGraph frozen = FrozenGraph.load(GeneratorForm.parse("kronecker:" + scale, 1, false),
                LoadOptions.DEFAULT, threads, WorkWatch.NONE);
            PartedGraph near = load(local, threads, scale, frozen);
            PartedGraph far = load(remote, threads, scale, frozen);
            try (PartedRuns nearRuns = new PartedRuns(near, RunOptions.DEFAULT);
                PartedRuns farRuns = new PartedRuns(far, RunOptions.DEFAULT)) {
                nearRuns.open();
                farRuns.open();
                measure(frozen, nearRuns, farRuns, threads, arguments);
            }
        }
    }

    private static PartedGraph load(ChunkStore store, Workers threads, int scale, FrozenGraph frozen)
            throws IOException {
        long begun = System.nanoTime();
        PartedGraph graph = new PartedLoader(store, threads).workersPerNode(1).load("figures",
            GeneratorForm.parse("kronecker:" + scale, 1, false));
        double ms = (System.nanoTime() - begun) / MS;
        say("load %.0f ms, %.2f M edges/s, %d arcs, %.2f bytes per edge, %d parts", ms,
            frozen.arcCount() / 2 / ms / 1000, graph.arcCount(), 2.0 * graph.arcBytes() / graph.arcCount(),
            graph.partition().parts());
        return graph;
    }

    private static void measure(FrozenGraph frozen, PartedRuns near, PartedRuns far, Workers threads,
                                String[] words) {
        Team team = new Team(threads);
        int root = 1;
        while (frozen.degree(root) == 0) {
            root++;
        }
        int from = root;
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            line(words, "bfs", far, () -> new BreadthFirst(frozen, threads).search(from), () -> program(frozen, team,
                "bfs", number(from)), () -> PartedAlgorithms.search(near, from), () -> PartedAlgorithms.search(far,
                    from));
            line(words, "components", far, () -> Components.of(frozen, threads), () -> program(frozen, team,
                "components", number()), () -> PartedAlgorithms.components(near),
                () -> PartedAlgorithms.components(far));
            byte[] settings = ByteBuffer.allocate(Integer.BYTES + Double.BYTES).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(ROUNDS).putDouble(DAMPING).array();
            line(words, "pagerank", far, () -> PageRank.ldbc(frozen, ROUNDS, DAMPING, threads, WorkWatch.NONE),
                () -> program(frozen, team, "pagerank", settings), () -> PartedAlgorithms.ranks(near, ROUNDS, DAMPING),
                () -> PartedAlgorithms.ranks(far, ROUNDS, DAMPING));
            line(words, "paths", far, () -> ShortestPaths.lengths(frozen, team, from), () -> program(frozen, team,
                "paths", number(from)), () -> PartedAlgorithms.paths(near, from), () -> PartedAlgorithms.paths(far,
                    from));
            line(words, "communities", far, () -> Communities.labels(frozen, team, ROUNDS), () -> program(frozen, team,
                "communities", number(ROUNDS)), () -> PartedAlgorithms.communities(near, ROUNDS),
                () -> PartedAlgorithms.communities(far, ROUNDS));
            line(words, "cores", far, () -> Cores.numbers(frozen, team), () -> program(frozen, team, "cores",
                number()), () -> PartedAlgorithms.cores(near), () -> PartedAlgorithms.cores(far));
            line(words, "triangles", far, () -> Triangles.count(frozen, team), () -> { },
                () -> PartedAlgorithms.triangles(near), () -> PartedAlgorithms.triangles(far));
        }
    }

    private static byte[] number(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    private static void program(FrozenGraph frozen, Team team, String name, byte[] settings) {
        Supersteps.run(frozen, team, ProgramFactory.of(name, settings), Integer.MAX_VALUE);
    }

    private static void line(String[] words, String name, PartedRuns far, Runnable... forms) {
        boolean isChosen = words.length == 1;
        for (String word : words) {
            isChosen |= word.equals(name);
        }
        if (!isChosen) {
            return;
        }
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-12s", name));
        for (Runnable form : forms) {
            long begun = System.nanoTime();
            form.run();
            text.append(String.format(Locale.ROOT, " %9.1f", (System.nanoTime() - begun) / MS));
        }
        double edges = far.graph().arcCount() / 2.0;
        say("%s   %d supersteps, %.3f messages and %.2f bytes per edge", text, far.figures().supersteps(),
            far.figures().sentCount() / edges, far.figures().sentBytes() / edges);
    }

    private static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
