package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a cache is made once, and again when what it depends on changes. Method: a program that ends at once. */
final class AotCacheTest {
    private static final Path JAVA = Path.of(Gate.java());

    @TempDir
    private Path home;
    private Path classes;

    /** The program whose run is recorded. */
    public static final class Program {
        private Program() {}

        /** Prints a word. */
        public static void main(String[] args) {
            System.out.println("word");
        }
    }

    @BeforeEach
    void copyProgram() throws IOException {
        classes = home.resolve("classes");
        String file = Program.class.getName().replace('.', '/') + ".class";
        Files.createDirectories(classes.resolve(file).getParent());
        try (InputStream in = Program.class.getResourceAsStream("/" + file)) {
            Files.copy(in, classes.resolve(file));
        }
    }

    private AotCache cache(String training) {
        return new AotCache(home.resolve("aot"), JAVA, List.of(classes), training);
    }

    private AotCache cache() {
        return cache(Program.class.getName());
    }

    private static String run(AotCache.Start start) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        int code = Command.run(Path.of("").toAbsolutePath(), Map.of(), List.of(JAVA.toString(), "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED", "-XX:AOTCache=" + start.cache(),
            "-Xlog:aot*=off", "-Xlog:cds*=off", "-Xlog:class+load", "-cp",
            start.classPath(), Program.class.getName()), lines::add);
        assertEquals(0, code, () -> String.join("\n", lines));
        assertTrue(lines.contains("word"), () -> String.join("\n", lines));
        return lines.stream().filter(line -> line.contains(Program.class.getName() + " ")).findFirst().orElseThrow();
    }

    @Test
    void aCacheIsMadeOnceAndUsed() throws IOException, InterruptedException {
        assertNull(cache().start(false), "none is made unless that is asked for");
        AotCache.Start made = cache().start(true);
        assertNotNull(made);
        assertTrue(run(made).contains("shared objects file"), "the class comes from the cache");
        FileTime time = Files.getLastModifiedTime(made.cache());
        assertEquals(made, cache().start(true));
        assertEquals(time, Files.getLastModifiedTime(made.cache()), "it is not made again");
        try (Stream<Path> left = Files.walk(home.resolve("aot"))) {
            assertFalse(left.anyMatch(file -> file.toString().endsWith(".new")));
        }
    }

    @Test
    void aHalfWrittenCacheIsNotUsedAndMadeAgain() throws IOException, InterruptedException {
        AotCache.Start made = cache().start(true);
        assertNotNull(made);
        try (FileChannel file = FileChannel.open(made.cache(), StandardOpenOption.WRITE)) {
            file.truncate(file.size() / 2);
        }
        run(made);                                              // the JVM goes on without it
        assertNull(cache().start(false));
        AotCache.Start again = cache().start(true);
        assertNotNull(again);
        assertTrue(run(again).contains("shared objects file"));
        Files.delete(again.cache().resolveSibling(AotCache.DONE));
        assertNull(cache().start(false), "without its last file it is none");
        Files.delete(again.cache());
        run(again);
    }

    @Test
    void theKeyChangesWithClassesJarsAndJdk() throws IOException {
        Path jar = home.resolve("some.jar");
        Files.writeString(jar, "1");
        List<Path> path = List.of(classes, jar);
        AotCache cache = new AotCache(home, JAVA, path, "a.B");
        String first = cache.key();
        assertEquals(first, cache.key());
        Files.writeString(jar, "12");
        String second = cache.key();
        assertNotEquals(first, second, "another size");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000));
        String third = cache.key();
        assertNotEquals(second, third, "another time");
        Files.writeString(classes.resolve("New.class"), "");
        assertNotEquals(third, cache.key(), "another class");
        assertNotEquals(cache.key(), new AotCache(home, home.resolve("java"), path, "a.B").key(), "another JDK");
        assertNotEquals(cache.key(), new AotCache(home, JAVA, path.reversed(), "a.B").key(), "another order");
    }

    @Test
    void aRunThatFailsIsNotTriedAgain() throws IOException {
        AotCache cache = cache("no.such.Program");
        assertNull(cache.start(true));
        Path failed = home.resolve("aot").resolve(cache.key()).resolve(AotCache.FAILED);
        FileTime time = Files.getLastModifiedTime(failed);
        assertNull(cache.start(true));
        assertEquals(time, Files.getLastModifiedTime(failed));
    }

    @Test
    void aFolderThatCannotBeWrittenMeansNoCache() throws IOException {
        Files.writeString(home.resolve("aot"), "a file is in the way");
        assertNull(cache().start(true));
    }

    @Test
    void whileAnotherMakesOneTheProgramStartsWithout() throws IOException {
        Files.createDirectories(home.resolve("aot"));
        try (FileChannel channel = FileChannel.open(home.resolve("aot/lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            assertNotNull(channel.lock());
            assertNull(cache().start(true));
        }
    }

    @Test
    void twoMakersAtOnceLeaveOneWholeCache() throws IOException, InterruptedException {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> makers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread maker = new Thread(() -> cache().start(true));
            maker.setUncaughtExceptionHandler((_, failure) -> failures.add(failure));
            maker.start();
            makers.add(maker);
        }
        for (Thread maker : makers) {
            maker.join();
        }
        assertEquals(List.of(), failures);
        AotCache.Start made = cache().start(false);
        assertNotNull(made);
        assertTrue(run(made).contains("shared objects file"));
    }
}
