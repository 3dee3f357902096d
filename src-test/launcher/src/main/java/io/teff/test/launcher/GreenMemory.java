package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The inputs with which modules were green on this machine: an empty file per hash, in a folder of the user. A file
 * counts for two weeks.
 *
 * <p>The folder is {@code $TEFF_GATE_MEMORY}, else {@code teff/green} in {@code $XDG_CACHE_HOME} or in the user's
 * {@code .cache}. Without a home, and with {@code TEFF_GATE_MEMORY=off}, nothing is remembered.
 */
final class GreenMemory {
    private static final String VARIABLE = "TEFF_GATE_MEMORY";
    private static final Duration AGE_MAX = Duration.ofDays(14);

    private final Path folder;

    /** @param folder where the files are, or null for a memory that knows nothing */
    GreenMemory(Path folder) {
        this.folder = folder;
    }

    /** Returns the memory that the environment names. */
    static GreenMemory of(Map<String, String> environment) {
        String given = environment.getOrDefault(VARIABLE, "");
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        if (given.equals("off") || given.isEmpty() && cache.isEmpty() && home.isEmpty()) {
            return new GreenMemory(null);
        }
        if (!given.isEmpty()) {
            return new GreenMemory(Path.of(given));
        }
        return new GreenMemory((cache.isEmpty() ? Path.of(home, ".cache") : Path.of(cache)).resolve("teff/green"));
    }

    /** Returns whether a module was green with inputs of this hash. */
    boolean knows(String hash) throws IOException {
        return folder != null && Files.exists(folder.resolve(hash)) && !isOld(folder.resolve(hash));
    }

    /** Notes that a module is green with inputs of this hash, and forgets what is too old. */
    void remember(String hash) throws IOException {
        if (folder == null) {
            return;
        }
        Files.createDirectories(folder);
        Path file = folder.resolve(hash);
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path old : files) {
                if (isOld(old)) {
                    Files.deleteIfExists(old);
                }
            }
        }
    }

    private static boolean isOld(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toInstant().isBefore(Instant.now().minus(AGE_MAX));
    }
}
