package io.teff.test.bench.kill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The files of a cluster. */
final class KillFiles {
    private KillFiles() {}

    /** Returns the bytes of a cluster's files. */
    static long bytes(Path home) throws IOException {
        return ProcessFigures.diskBytes(home);
    }

    /** Deletes a folder. */
    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
