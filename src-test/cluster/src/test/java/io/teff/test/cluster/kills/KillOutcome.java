package io.teff.test.cluster.kills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/**
 * What has happened in a run that kills nodes under load.
 *
 * @param faults what was wrong
 * @param text a summary
 * @param folder has the logs, and the histories of wrong chunks
 */
record KillOutcome(List<String> faults, String text, Path folder) {
    /** Property: the histories of all chunks are kept. */
    static final String HISTORIES = "teff.cluster.histories";

    /** Makes a folder below {@code target} for the files of a run. */
    static Path newFolder() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target").toAbsolutePath()), "kills-");
    }

    /**
     * Writes what a person needs to understand a failure: the faults, the histories of wrong chunks, and the histories
     * of all chunks for another checker. Without a fault, only if a property asks for that.
     */
    static void write(Path folder, KillLoad load, List<String> faults) throws IOException {
        if (faults.isEmpty() && !Boolean.getBoolean(HISTORIES)) {
            return;
        }
        Files.write(folder.resolve("faults.txt"), faults);
        Path histories = Files.createDirectories(folder.resolve("histories"));
        for (CounterHistory counter : load.counters()) {
            Files.write(histories.resolve(counter.name() + ".txt"), counter.lines());
        }
        for (ChunkHistory chunk : load.all()) {
            Files.write(histories.resolve(chunk.name() + ".jepsen"), chunk.jepsenLog());
            if (faults.stream().anyMatch(fault -> fault.startsWith(chunk.name() + ":")
                || fault.startsWith(chunk.name() + ","))) {
                Files.write(histories.resolve(chunk.name() + ".txt"), chunk.lines());
            }
        }
    }

    /** Fails if there was a fault, and else deletes the files. */
    void judge(String reproduce) throws IOException {
        System.out.println(text);
        if (!faults.isEmpty()) {
            Assertions.fail(String.join("\n", faults) + "\n" + reproduce + "\nhistories and logs: " + folder);
        }
        if (Boolean.getBoolean(HISTORIES)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Returns whether a fault is one of the content: something that was acknowledged is lost, or was made twice. */
    boolean hasWrongContent() {
        return faults.stream().anyMatch(fault -> fault.contains("not linearizable") || fault.contains("is lost")
            || fault.contains("does not exist") || fault.contains("not exactly once")
            || fault.contains("issued twice"));
    }
}
