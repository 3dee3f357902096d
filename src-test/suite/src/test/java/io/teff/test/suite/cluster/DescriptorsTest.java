package io.teff.test.suite.cluster;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a process without free descriptors still answers its peers, does not spin because of incoming connections, and
 * accepts them when descriptors are available again.
 *
 * <p>Method: a child JVM limited to 200 descriptors takes all free ones while others dial it. Its processor time
 * meanwhile is far below the elapsed time.
 */
final class DescriptorsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE_S = 60;
    private static final long WATCHED_MS = 3_000;
    private static final long BUSY_MS = 800;

    /** Jars of this project, and what they need to send messages. */
    private static final Pattern NEEDED = Pattern.compile("^(teff|jctools|jspecify)-");

    @TempDir
    private Path folder;

    /**
     * Returns the class path without the libraries of other programs: a search for services opens each of them, and
     * each takes one of the few descriptors of the child.
     */
    private static String shortClassPath() {
        return Arrays.stream(ChildProcess.classPath().split(File.pathSeparator))
            .filter(entry -> !entry.endsWith(".jar") || NEEDED.matcher(Path.of(entry).getFileName().toString()).find())
            .collect(Collectors.joining(File.pathSeparator));
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
            java.toString(), "-XX:-MaxFDLimit", "-ea", "-XX:TieredStopAtLevel=1", "-cp", shortClassPath(),
            HungryNode.class.getName(), "tcp:127.0.0.1:0")).redirectError(errors.toFile()).start();
        try (BufferedReader said = child.inputReader(); Writer commands = child.outputWriter()) {
            final String address = said.readLine();
            assertNotNull(address, Files.readString(errors));
            try (Network friend = open(1, address); Network stranger = open(3, address)) {
                assertEquals(49, friend.call(2, SquaringNode.SQUARES, 7L));
                assertTrue(say(commands, said, "take") > 10);
                final CompletableFuture<Long> waiting = stranger.request(2, SquaringNode.SQUARES, 8L);
                final long before = cpuMs(child);
                assertFalse(child.waitFor(WATCHED_MS, TimeUnit.MILLISECONDS), () -> "it has ended");
                final long took = cpuMs(child) - before;
                assertTrue(took < BUSY_MS, () -> "processor time in " + WATCHED_MS + " ms: " + took);
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
