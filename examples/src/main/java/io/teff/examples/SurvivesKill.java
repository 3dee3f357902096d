package io.teff.examples;

import io.teff.engine.collect.ChunkMap;
import io.teff.recovery.DurableStore;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A durable store: what a process has stored survives that process.
 *
 * <p>This program starts itself a second time, kills that process with SIGKILL while it writes, and opens its store.
 * At the default level a change is in the log when the call returns, and so survives the process; after {@code sync()}
 * it is on the device, and survives a power cut too.
 */
public final class SurvivesKill {
    private static final int ACKNOWLEDGED_MIN = 1_000;

    private SurvivesKill() {}

    /**
     * Kills a writer and looks for what it wrote.
     *
     * @param arguments none; the folder of the store in the process that writes
     * @throws IOException if a folder cannot be written
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 1) {
            write(Path.of(arguments[0]));
            return;
        }
        Path folder = Files.createTempDirectory("teff-example");
        try {
            int acknowledged = killWriter(folder);
            IO.println("killed after at least " + ACKNOWLEDGED_MIN + " changes: " + (acknowledged >= ACKNOWLEDGED_MIN));
            read(folder, acknowledged);
        } finally {
            delete(folder);
        }
    }

    /** Writes without end, and prints each number when the store has acknowledged it. */
    private static void write(Path folder) {
        try (DurableStore durable = DurableStore.open(folder)) {
            ChunkMap<Integer, String> squares = durable.store().map("squares", Integer.class, String.class);
            for (int number = 0; true; number++) {
                squares.put(number, "square: " + (long) number * number);
                IO.println(number);
            }
        }
    }

    /** Starts a writer and kills it; returns how many changes were acknowledged. */
    private static int killWriter(Path folder) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path") + File.pathSeparator
            + System.getProperty("jdk.module.path", "");
        Process writer = new ProcessBuilder(java, "-cp", classPath, SurvivesKill.class.getName(), folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        int acknowledged = 0;
        try (BufferedReader lines = writer.inputReader()) {
            while (acknowledged < ACKNOWLEDGED_MIN && lines.readLine() != null) {
                acknowledged++;
            }
        } finally {
            writer.destroyForcibly().waitFor();
        }
        return acknowledged;
    }

    private static void read(Path folder, int acknowledged) {
        try (DurableStore durable = DurableStore.open(folder)) {
            ChunkMap<Integer, String> squares = durable.store().map("squares", Integer.class, String.class);
            int lost = 0;
            for (int number = 0; number < acknowledged; number++) {
                lost += squares.containsKey(number) ? 0 : 1;
            }
            IO.println("acknowledged and lost: " + lost);
            IO.println("999 has " + squares.get(999));
            durable.store().audit();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.delete(path);
            }
        }
    }
}
