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
 * The third part of the demo: a child process stores the class graph, updates it and is killed; then the store is
 * opened and compared with the acknowledged updates. This is repeated {@value #KILLS} times with the same folder.
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

    /** Acknowledged visits of each class. */
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

    /** Returns the progress text. */
    String progress() {
        return "durable  " + state;
    }

    /**
     * Runs this part.
     *
     * @param scratch an empty store in memory, for the expected graph
     * @return the results
     * @throws LoadFailure if something is missing or wrong; names the first difference
     */
    DemoReport.Durable run(Store scratch) throws IOException, InterruptedException {
        state = "reads the expected graph";
        final ClassGraph right = new ClassGraphReader(scratch, files, threads).read();
        for (int kill = 1; kill <= KILLS; kill++) {
            state = "process " + kill + " of " + KILLS;
            runAndKill();
            state = "opens and compares the store after kill " + kill;
            compare(right);
        }
        return new DemoReport.Durable(folder.toString(), right.classCount(), right.edgeCount(), storeNs / SECOND_NS,
            KILLS, threads, updates, updates / (updateNs / SECOND_NS), kept, kept - updates, openNs / SECOND_NS,
            entries);
    }

    // ---- the child process ----

    private void runAndKill() throws IOException, InterruptedException {
        final long begun = System.nanoTime();
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-cp", classPath(), DurableWorker.class.getName(),
            folder.toAbsolutePath().toString(), Integer.toString(threads))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (DataInputStream pipe = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            listen(process, pipe, begun);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Reads acknowledgements, kills the process after some time, and reads the rest of the pipe. */
    private void listen(Process process, DataInputStream pipe, long begun) throws IOException {
        long stored = 0;
        long last = 0;
        int count = 0;
        try {
            while (true) {
                final int number = pipe.readInt();
                final long visits = pipe.readLong();
                if (number == DurableWorker.STORED) {
                    stored = System.nanoTime();
                } else {
                    acknowledged[number] = visits;
                    count++;
                    last = System.nanoTime();
                }
                if (stored != 0 && count > UPDATES_MIN && last - stored > UPDATE_SECONDS * SECOND_NS) {
                    process.toHandle().destroyForcibly();       // SIGKILL; Process.destroyForcibly would close the pipe
                }
            }
        } catch (EOFException _) {
            if (count <= UPDATES_MIN) {
                throw new LoadFailure("the child process ended by itself after " + count
                    + " updates; its messages are on standard error");
            }
        }
        storeNs = storeNs == 0 ? stored - begun : storeNs;
        updateNs += last - stored;
        updates += count;
    }

    /** Returns the class path of the child process, whether this process has modules or a class path. */
    private static String classPath() {
        return Stream.of(DurableWorker.class, ClassFiles.class, DurableStore.class, Store.class)
            .map(DurablePhase::place).collect(Collectors.joining(File.pathSeparator));
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- comparison after a kill ----

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
     * Checks that each class has its acknowledged visits, and at most one more per thread, which was not acknowledged.
     *
     * @return number of visits in the store
     */
    static long verifyVisits(DurableGraph graph, long[] acknowledged, int threads) {
        long more = 0;
        long kept = 0;
        for (int number = 0; number < acknowledged.length; number++) {
            final long visits = graph.visits(number);
            DurableGraph.check(visits >= acknowledged[number], "class " + number + " has " + visits
                + " visits, but " + acknowledged[number] + " were acknowledged");
            more += visits - acknowledged[number];
            kept += visits;
            acknowledged[number] = visits;
        }
        DurableGraph.check(more <= threads, Figures.count(more) + " visits were never made");
        return kept;
    }

    /** Returns whether a folder is empty or does not exist. */
    static boolean isFree(Path folder) {
        final String[] names = folder.toFile().list();
        return names == null ? !folder.toFile().exists() : names.length == 0;
    }
}
