package io.teff.graph.data;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The files of WordNet on this machine: those that are installed, or those of the Debian package {@code wordnet-base}
 * in a cache. {@code apt-get download} fetches the package, 6.5 MB, and {@code dpkg-deb -x} unpacks it; neither needs
 * the rights of an administrator, and nothing is installed.
 */
public final class WordNetFiles {
    private static final Path INSTALLED = Path.of("/usr/share/wordnet");
    private static final String IN_PACKAGE = "usr/share/wordnet";
    private static final String PACKAGE = "wordnet-base";
    private static final String PROBE = "data.noun";
    private static final String PURPOSE = "to fetch the Debian package wordnet-base; or name a folder with the files "
        + "of WordNet";

    private WordNetFiles() {}

    /** {@return the default cache of a user: {@code teff/wordnet} in {@code XDG_CACHE_HOME}, or in {@code ~/.cache}} */
    public static Path userCache() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base = cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
        return base.resolve("teff").resolve("wordnet");
    }

    /**
     * {@return the folder of the files} Fetches the files if they are neither installed nor in the cache.
     *
     * @param cache a folder that does not exist, is empty, or was filled by this method
     * @param say gets a line before anything is downloaded or unpacked
     * @throws IOException if the cache has other content, or the files cannot be fetched: the message names the program
     *     that has failed
     */
    public static Path fetch(Path cache, Consumer<String> say) throws IOException {
        if (Files.isRegularFile(INSTALLED.resolve(PROBE))) {
            return INSTALLED;
        }
        Path folder = cache.resolve(IN_PACKAGE);
        if (Files.isRegularFile(folder.resolve(PROBE))) {
            return folder;
        }
        Path absolute = cache.toAbsolutePath();
        if (Files.exists(absolute) && !isEmpty(absolute)) {
            throw new IOException(cache + " has other content than WordNet; nothing was downloaded");
        }
        Path parent = Objects.requireNonNull(absolute.getParent(), "the cache has no parent folder");
        Files.createDirectories(parent);
        Path fresh = Files.createTempDirectory(parent, "wordnet-");
        try {
            say.accept("downloading the Debian package " + PACKAGE + " (6.5 MB) by apt-get download");
            run(List.of("apt-get", "download", PACKAGE), fresh);
            Path archive = onlyArchive(fresh);
            say.accept("unpacking " + archive.getFileName() + " to " + cache + " by dpkg-deb -x");
            run(List.of("dpkg-deb", "-x", archive.toString(), fresh.resolve("content").toString()), fresh);
            Path content = fresh.resolve("content");
            if (!Files.isRegularFile(content.resolve(IN_PACKAGE).resolve(PROBE))) {
                throw new IOException(archive.getFileName() + " has no file " + IN_PACKAGE + "/" + PROBE);
            }
            Files.deleteIfExists(absolute);                     // it is empty
            Files.move(content, absolute, StandardCopyOption.ATOMIC_MOVE);
            return folder;
        } finally {
            deleteAll(fresh);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private static void run(List<String> command, Path folder) throws IOException {
        String output = ToolRun.run(command, folder, PURPOSE,
            in -> new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
        assert output != null;
    }

    private static Path onlyArchive(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(it -> it.toString().endsWith(".deb")).findFirst()
                .orElseThrow(() -> new IOException("apt-get download " + PACKAGE + " has left no archive"));
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
