package io.teff.test.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The AOT cache of a module's program: classes that are loaded and linked, and profiles of their methods, from a run
 * that the JVM has recorded.
 * <pre>
 *  target/aot/lock            held by the process that makes a cache; others go on without one
 *  target/aot/KEY/            a cache; KEY is a hash of all that it depends on
 *      01.jar ...             what the JVM cannot archive as it is ({@link AotJars})
 *      cache.aot              the JVM's cache
 *      done                   size of cache.aot, then the class path; written last, so without it there is no cache
 *      failed                 why no cache could be made; it is not tried again
 *      log.txt                what the recorded run has printed
 * </pre>
 * A cache is never changed, so processes use it while another one is made. The key has the JDK, the flags, and name,
 * size and time of each jar and each class: whatever changes, another cache is made.
 *
 * <p>A cache is never needed: whatever goes wrong here, the program starts without.
 */
final class AotCache {
    /** The environment variable: {@code off} uses and makes none, {@code log} says why there is none. */
    static final String VARIABLE = "TEFF_AOT";
    static final String CACHE = "cache.aot";
    static final String DONE = "done";
    static final String FAILED = "failed";
    private static final String FORM = "teff aot 1";
    private static final String LOCK = "lock";
    private static final String LOG = "log.txt";
    private static final String RUN = "run";
    /** Caches that are kept: processes that run may have the jars of the ones before. */
    private static final int KEPT = 3;
    /** Module options must be those of the programs, or the JVM refuses the cache. */
    private static final List<String> FLAGS = List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC",
        "-Xmx512m");

    private final Path folder;
    private final Path java;
    private final List<Path> classPath;
    private final String training;

    /**
     * A cache that may exist or not.
     *
     * @param folder where a module's caches are
     * @param java the program {@code java}
     * @param classPath the class path of the program
     * @param training the class whose run is recorded; it gets a folder that does not exist
     */
    AotCache(Path folder, Path java, List<Path> classPath, String training) {
        this.folder = folder;
        this.java = java;
        this.classPath = classPath;
        this.training = training;
    }

    /** What a program starts with: its class path and the cache that fits it, or null. */
    record Start(String classPath, Path cache) {}

    /** Returns the cache of a module's program, or null if its programs have none. */
    static AotCache of(Module module) throws IOException {
        if (!module.folder().equals("cluster/terminal") || "off".equals(System.getenv(VARIABLE))) {
            return null;
        }
        List<Path> classPath = Arrays.stream(Freshness.classPath(module).split(File.pathSeparator))
            .filter(entry -> !entry.isEmpty()).map(Path::of).toList();
        return new AotCache(module.target().resolve("aot"), Path.of(Gate.java()), classPath,
            "io.teff.cluster.terminal.cli.Training");
    }

    /**
     * Returns what the program starts with, or null if there is no cache.
     *
     * @param mayMake whether one is made if there is none, which takes some seconds
     */
    Start start(boolean mayMake) {
        try {
            Path own = folder.resolve(key());
            Start found = read(own);
            if (found == null && mayMake && !Files.exists(own.resolve(FAILED))) {
                make(own);
                found = read(own);
            }
            if (found == null) {
                say("no AOT cache in " + own + (Files.exists(own.resolve(FAILED)) ? ": "
                    + Files.readString(own.resolve(FAILED)).strip() : ""));
            }
            return found;
        } catch (IOException | RuntimeException e) {
            say("no AOT cache: " + e);
            return null;
        }
    }

    private static void say(String line) {
        if ("log".equals(System.getenv(VARIABLE))) {
            System.err.println("teff: " + line);
        }
    }

    /** Returns a finished cache, or null. */
    private static Start read(Path own) throws IOException {
        try {
            List<String> lines = Files.readAllLines(own.resolve(DONE));
            Path cache = own.resolve(CACHE);
            boolean isWhole = lines.size() == 3 && lines.getFirst().equals(FORM)
                && lines.get(1).equals(String.valueOf(Files.size(cache))) && Files.isReadable(cache)
                && Arrays.stream(lines.get(2).split(File.pathSeparator))
                    .allMatch(jar -> Files.isReadable(Path.of(jar)));
            return isWhole ? new Start(lines.get(2), cache) : null;
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    // ---- the key ----

    /** Returns the hash of all that a cache depends on. */
    String key() throws IOException {
        StringBuilder text = new StringBuilder(FORM + '\n' + java + '\n' + System.getProperty("java.vm.version") + '\n'
            + System.getProperty("os.arch") + '\n' + FLAGS + training + '\n');
        for (Path entry : classPath) {
            note(entry, text);
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void note(Path entry, StringBuilder text) throws IOException {
        if (!Files.exists(entry)) {
            return;
        }
        List<String> lines = new ArrayList<>();
        Files.walkFileTree(entry, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                lines.add(file + " " + attributes.size() + " " + attributes.lastModifiedTime().toMillis());
                return FileVisitResult.CONTINUE;
            }
        });
        lines.sort(Comparator.naturalOrder());
        text.append(entry).append('\n').append(String.join("\n", lines)).append('\n');
    }

    // ---- making ----

    /** Makes the cache, unless another process makes one. */
    private void make(Path own) throws IOException {
        Files.createDirectories(folder);
        try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock lock = channel.tryLock()) {
            if (lock == null) {
                say("another process makes an AOT cache");
                return;
            }
            if (read(own) != null) {
                return;                                         // it was made while this process looked
            }
            System.err.print("making the AOT cache, with which nodes start faster ... ");
            delete(own);
            Files.createDirectories(own);
            String failure = record(own);
            if (failure != null) {
                Files.writeString(own.resolve(FAILED), failure + "\n");
            }
            deleteOld(own);
            System.err.println(failure == null ? "done" : "failed; programs start without (" + own.resolve(FAILED)
                + ")");
        } catch (OverlappingFileLockException _) {
            say("another thread makes an AOT cache");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns why there is no cache, or null if there is one. */
    private String record(Path own) throws IOException, InterruptedException {
        String jars;
        try {
            jars = AotJars.write(classPath, own).stream().map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        } catch (IllegalArgumentException e) {                  // a class file that cannot be read
            return "the jars cannot be made: " + e;
        }
        Path fresh = own.resolve(CACHE + ".new");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:AOTCacheOutput=" + fresh));
        command.addAll(FLAGS);
        command.addAll(List.of("-cp", jars, training, own.resolve(RUN).toString()));
        StringBuilder log = new StringBuilder();
        int code = Command.run(own, Map.of("JDK_JAVA_OPTIONS", "", "JAVA_TOOL_OPTIONS", ""), command,
            line -> log.append(line).append('\n'));
        Files.writeString(own.resolve(LOG), log);
        delete(own.resolve(RUN));
        if (code != 0 || !Files.exists(fresh)) {
            return "the run that the JVM was to record has ended with code " + code + "; see " + own.resolve(LOG);
        }
        Path cache = own.resolve(CACHE);
        Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path done = own.resolve(DONE + ".new");
        Files.writeString(done, FORM + '\n' + Files.size(cache) + '\n' + jars + '\n');
        Files.move(done, own.resolve(DONE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return null;
    }

    private void deleteOld(Path own) throws IOException {
        List<Path> others;
        try (Stream<Path> all = Files.list(folder)) {
            others = new ArrayList<>(all.filter(path -> Files.isDirectory(path) && !path.equals(own)).toList());
        }
        others.sort(Comparator.comparing((Path path) -> path.toFile().lastModified()).reversed());
        for (Path old : others.subList(Math.min(KEPT - 1, others.size()), others.size())) {
            delete(old);
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
