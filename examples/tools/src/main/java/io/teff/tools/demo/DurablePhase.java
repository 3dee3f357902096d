package io.teff.tools.demo;

import io.teff.engine.Store;
import io.teff.examples.graph.ClassFiles;
import io.teff.examples.graph.ClassGraph;
import io.teff.examples.graph.ClassGraphReader;
import io.teff.recovery.DurableStore;
import io.teff.tools.console.Figures;
import io.teff.tools.load.LoadFailure;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The third part of the demo: a process of its own stores the class graph and updates it, is killed in the middle of
 * that, and the store is opened and compared with what was acknowledged. This a few times with the same folder.
 */
final class DurablePhase {
    private static final int KILLS = 3;
    private static final double UPDATE_SECONDS = 1;
    private static final int UPDATES_MIN = 1000;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path folder;
    private final int threads;
    private final ClassFiles files;
    private volatile String state = "";

    /** How often each class was visited, as far as that was acknowledged. */
    private final long[] acknowledged;
    private long updates;
    private long kept;
    private long updateNs;
    private long openNs;
    private long storeNs;
    private long entries;

    DurablePhase(Path folder, int threads, ClassFiles files) {
        this.folder = folder;
        this.threads = threads;
        this.files = files;
        this.acknowledged = new long[files.count()];
    }

    /** How far it is, for a progress line. */
    String progress() {
        return "durable  " + state;
    }

    /**
     * Runs it.
     *
     * @param scratch an empty store in memory, for a graph to compare with
     * @return what it found
     * @throws LoadFailure naming the first thing that is missing
     */
    DemoReport.Durable run(Store scratch) throws IOException, InterruptedException {
        state = "reads the classes to compare with";
        final ClassGraph right = new ClassGraphReader(scratch, files, threads).read();
        for (int kill = 1; kill <= KILLS; kill++) {
            state = "life " + kill + " of " + KILLS;
            live();
            state = "opens and compares after kill " + kill;
            compare(right);
        }
        return new DemoReport.Durable(folder.toString(), right.classCount(), right.edgeCount(), storeNs / SECOND_NS,
            KILLS, threads, updates, updates / (updateNs / SECOND_NS), kept, kept - updates, openNs / SECOND_NS,
            entries);
    }

    // ---- the other process ----

    private void live() throws IOException, InterruptedException {
        final long begun = System.nanoTime();
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-cp", classPath(), DurableWorker.class.getName(),
            folder.toAbsolutePath().toString(), Integer.toString(threads))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (DataInputStream told = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            listen(process, told, begun);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Reads what was acknowledged; kills after some time, and reads what is in the pipe still. */
    private void listen(Process process, DataInputStream told, long begun) throws IOException {
        long stored = 0;
        long last = 0;
        int count = 0;
        try {
            while (true) {
                final int number = told.readInt();
                final long visits = told.readLong();
                if (number == DurableWorker.STORED) {
                    stored = System.nanoTime();
                } else {
                    acknowledged[number] = visits;
                    count++;
                    last = System.nanoTime();
                }
                if (stored != 0 && count > UPDATES_MIN && last - stored > UPDATE_SECONDS * SECOND_NS) {
                    process.toHandle().destroyForcibly();       // SIGKILL; the pipe stays, unlike with the process's
                }
            }
        } catch (EOFException _) {
            if (count <= UPDATES_MIN) {
                throw new LoadFailure("the process that was to be killed has ended before, after " + count
                    + " updates; its last words are on standard error");
            }
        }
        storeNs = storeNs == 0 ? stored - begun : storeNs;
        updateNs += last - stored;
        updates += count;
    }

    /** What the other process needs, whether this one has it as modules or not. */
    private static String classPath() {
        return Stream.of(DurableWorker.class, DurableStore.class, Store.class).map(DurablePhase::place)
            .collect(Collectors.joining(File.pathSeparator));
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- what came back ----

    private void compare(ClassGraph right) {
        final long begun = System.nanoTime();
        try (DurableStore durable = DurableStore.open(folder, DurableWorker.config().build())) {
            openNs = Math.max(openNs, System.nanoTime() - begun);
            entries = Math.max(entries, durable.restoredEntries());
            final DurableGraph graph = new DurableGraph(durable.store());
            graph.verify(right);
            kept = verifyVisits(graph, acknowledged, threads);
        }
    }

    /**
     * Each class was visited as often as was acknowledged, or once more where that was under way: one per thread.
     *
     * @return visits in all
     */
    static long verifyVisits(DurableGraph graph, long[] acknowledged, int threads) {
        long more = 0;
        long kept = 0;
        for (int number = 0; number < acknowledged.length; number++) {
            final long visits = graph.visits(number);
            DurableGraph.check(visits >= acknowledged[number], "class " + number + " was visited " + visits
                + " times, and " + acknowledged[number] + " were acknowledged");
            more += visits - acknowledged[number];
            kept += visits;
            acknowledged[number] = visits;
        }
        DurableGraph.check(more <= threads, Figures.count(more) + " visits are there that nobody made");
        return kept;
    }

    /** Whether there is nothing in the way of a new store. */
    static boolean isFree(Path folder) {
        final String[] names = folder.toFile().list();
        return names == null ? !folder.toFile().exists() : names.length == 0;
    }
}
