package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.test.kit.ChildProcess;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a process without free descriptors still answers its peers, does not spin because of incoming connections, and
 * accepts them when descriptors are available again.
 *
 * <p>Method: a child JVM limited to 200 descriptors takes all free ones while others dial it. Its processor time
 * meanwhile is far below the elapsed time.
 */
@Tag("processes")
final class DescriptorsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE_S = 60;
    private static final long WATCHED_MS = 3_000;
    private static final long BUSY_MS = 800;

    /** Jars of this project, and what they need to send messages. */
    private static final Pattern NEEDED = Pattern.compile("^(teff|jctools|jspecify)-.*[.]jar$");
    private static final Pattern PACKED = Pattern.compile("^io/teff/(engine|cluster/(net|aeron)|nio|test/cluster)/");
    private static final String SERVICES = "META-INF/services/";

    @TempDir
    private Path folder;

    /**
     * Returns a class path for a process without descriptors: it opens all of it when it searches for services, and
     * needs no more later. Libraries that are not needed would take too many; a class in a folder would need one.
     */
    private String ownClassPath() throws IOException {
        final Map<String, byte[]> files = new LinkedHashMap<>();
        final List<String> entries = new ArrayList<>();
        for (String entry : ChildProcess.classPath().split(File.pathSeparator)) {
            final Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                pack(path, files);
            } else if (NEEDED.matcher(String.valueOf(path.getFileName())).find()) {
                entries.add(entry);
            }
        }
        final Path jar = folder.resolve("packed.jar");
        try (JarOutputStream packed = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                packed.putNextEntry(new ZipEntry(file.getKey()));
                packed.write(file.getValue());
            }
        }
        entries.addFirst(jar.toString());
        return String.join(File.pathSeparator, entries);
    }

    /** Adds the files of a folder that are not there yet; lists of services are joined. */
    private static void pack(Path from, Map<String, byte[]> files) throws IOException {
        try (Stream<Path> found = Files.walk(from)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                final String name = from.relativize(file).toString().replace(File.separatorChar, '/');
                if (name.startsWith(SERVICES)) {
                    final byte[] more = Files.readAllBytes(file);
                    files.merge(name, more, (one, two) -> ByteBuffer.allocate(one.length + two.length + 1).put(one)
                        .put((byte) '\n').put(two).array());
                } else if (PACKED.matcher(name).find()) {
                    files.putIfAbsent(name, Files.readAllBytes(file));
                }
            }
        }
    }

    private static long cpuMs(Process process) {
        return process.info().totalCpuDuration().orElseThrow().toMillis();
    }

    private static Network open(int nid, String address) throws IOException {
        return Network.open(NetworkConfig.builder(nid).addresses(_ -> address).reachNs(PATIENCE_S * SECOND)
            .greetingNs(SECOND).requestTimeoutNs(PATIENCE_S * SECOND).build());
    }

    @Test
    void processWithoutDescriptors_isQuiet_andGoesOnWithThem() throws Exception {
        final Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        final Path errors = folder.resolve("errors");
        final Process child = new ProcessBuilder(List.of("sh", "-c", "ulimit -n 200; exec \"$@\"", "sh",
            java.toString(), "-XX:-MaxFDLimit", "-ea", "-XX:TieredStopAtLevel=1", "-cp", ownClassPath(),
            HungryNode.class.getName(), "tcp:127.0.0.1:0")).redirectError(errors.toFile()).start();
        try (BufferedReader said = child.inputReader(); Writer commands = child.outputWriter()) {
            final String address = said.readLine();
            assertNotNull(address, Files.readString(errors));
            try (Network friend = open(1, address); Network stranger = open(3, address)) {
                assertEquals(49, friend.call(2, SquaringNode.SQUARES, 7L));
                assertTrue(say(commands, said, "take") > 10);
                final CompletableFuture<Long> waiting = stranger.request(2, SquaringNode.SQUARES, 8L);
                final long before = cpuMs(child);
                final long begunNs = System.nanoTime();
                assertFalse(child.waitFor(WATCHED_MS, TimeUnit.MILLISECONDS), () -> "it has ended");
                final long took = cpuMs(child) - before;
                final long watchedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs);
                assertTrue(took * WATCHED_MS < BUSY_MS * watchedMs, () -> "processor time in " + watchedMs + " ms: "
                    + took);
                assertFalse(waiting.isDone(), "it has been accepted");
                assertEquals(81, friend.call(2, SquaringNode.SQUARES, 9L));
                say(commands, said, "give");
                assertEquals(64, waiting.get(PATIENCE_S, TimeUnit.SECONDS));
            }
            assertEquals("", Files.readString(errors));
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private static int say(Writer commands, BufferedReader said, String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        return Integer.parseInt(said.readLine());
    }
}
