package io.teff.tools.demo;

import io.teff.engine.Store;
import io.teff.engine.report.StoreStats;
import io.teff.examples.graph.ClassFiles;
import io.teff.examples.graph.ClassGraph;
import io.teff.examples.graph.ClassGraphReader;
import io.teff.examples.graph.ShortestPath;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The first part of the demo: reads classes into a store and queries them. */
final class GraphPhase {
    /** Maximum number of names in a list of the report. */
    static final int LIST_COUNT = 10;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Store store;
    private final ClassFiles files;
    private final int threads;
    private final long begunNs;
    private final ClassGraphReader reader;

    /** Creates the phase; {@code begunNs} is the time when listing the files began, which is part of reading. */
    GraphPhase(Store store, ClassFiles files, int threads, long begunNs) {
        this.store = store;
        this.files = files;
        this.threads = threads;
        this.begunNs = begunNs;
        this.reader = new ClassGraphReader(store, files, threads);
    }

    /** Returns the progress text. */
    String progress() {
        return "graph  " + Figures.count(reader.classesRead()) + " of " + Figures.count(files.count())
            + " classes read";
    }

    /**
     * Reads the graph, then finds the referrers of a class and a shortest path. All three classes must be in the files.
     */
    DemoReport.Graph run(String referred, String from, String to) throws IOException {
        ClassGraph graph = reader.read();
        double readSeconds = (System.nanoTime() - begunNs) / SECOND_NS;
        StoreStats stats = store.stats();
        long vertex = graph.vertex(referred);
        DemoReport.Referrers referrers = new DemoReport.Referrers(graph.name(vertex), graph.referrerCount(vertex),
            graph.referrers(vertex, LIST_COUNT));
        return new DemoReport.Graph(graph.classCount(), graph.edgeCount(), graph.unknownCount(), threads, readSeconds,
            stats.chunks(), stats.payloadBytes(), stats.usedBytes(), referrers, path(graph, from, to),
            graph.mostReferenced(LIST_COUNT));
    }

    private static DemoReport.Path path(ClassGraph graph, String from, String to) {
        long begun = System.nanoTime();
        ShortestPath path = graph.shortestPath(graph.vertex(from), graph.vertex(to));
        double milliseconds = (System.nanoTime() - begun) / MILLISECOND_NS;
        return new DemoReport.Path(graph.name(graph.vertex(from)), graph.name(graph.vertex(to)), path.steps(),
            path.classes(), path.visited(), milliseconds);
    }
}
