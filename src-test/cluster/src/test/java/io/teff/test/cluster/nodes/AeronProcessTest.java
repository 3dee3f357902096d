package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.tier.FullTier;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: nodes of two processes communicate over Aeron, and killing one costs no more than its session; a JVM without
 * Aeron's flag reports that, and supports everything else.
 *
 * <p>Method: child JVMs, one of which is killed with SIGKILL.
 */
@Tag("processes")
final class AeronProcessTest {
    private static final String FLAG = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

    @TempDir
    private Path folder;
    private volatile String address = "";

    private Process start(String listenAt) throws IOException {
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            FLAG, "-ea", "-cp", ChildProcess.classPath(), SquaringNode.class.getName(), listenAt)
            .directory(folder.toFile()).redirectError(folder.resolve("errors").toFile()).start();
        final BufferedReader said = process.inputReader();
        address = said.readLine();
        assertTrue(address != null, () -> "it has ended: " + errors());
        return process;
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @FullTier("18 s for two modes; AeronDriverLossTest loses the driver, FaultTourTest kills nodes")
    @ParameterizedTest
    @CsvSource({"aeron:udp?endpoint=127.0.0.1:0", "aeron:ipc"})
    void peerThatIsKilled_isALostSession(String listenAt) throws IOException, InterruptedException {
        final Process first = start(listenAt);
        try (Network one = Network.open(NetworkConfig.builder(1).addresses(_ -> address).reachNs(60_000_000_000L)
                .awayNs(2_000_000_000L).build())) {
            assertEquals(49, one.call(2, SquaringNode.SQUARES, 7L));
            first.destroyForcibly().waitFor();
            final Reason reason = assertThrows(NetworkException.class,
                () -> one.call(2, SquaringNode.SQUARES, 8L)).reason();
            assertTrue(EnumSet.of(Reason.LOST, Reason.TIMED_OUT).contains(reason), reason.name());
            final Process second = start(listenAt);
            try {
                assertEquals(81, callAgain(one));
            } finally {
                second.getOutputStream().close();               // it ends, and closes its network
                assertTrue(second.waitFor(60, TimeUnit.SECONDS));
            }
            assertEquals("", errors());
            assertEquals(List.of(), foldersOf(second), "left behind");
        } finally {
            first.destroyForcibly().waitFor();
            for (Path it : foldersOf(first)) {
                remove(it);
            }
        }
    }

    private static long callAgain(Network from) throws InterruptedException {
        for (int tries = 0; tries < 10; tries++) {
            try {
                return from.call(2, SquaringNode.SQUARES, 9L);
            } catch (NetworkException e) {
                assertTrue(EnumSet.of(Reason.LOST, Reason.TIMED_OUT, Reason.UNREACHABLE).contains(e.reason()));
            }
        }
        return -1;
    }

    private static List<Path> foldersOf(Process process) throws IOException {
        final Path memory = Path.of("/dev/shm");
        final Path base = Files.exists(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        try (Stream<Path> all = Files.list(base)) {
            return all.filter(it -> it.getFileName().toString().startsWith("teff-aeron-" + process.pid() + "-"))
                .toList();
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path it : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(it);
            }
        }
    }

    @Test
    void jvmWithoutTheFlag_saysSo_andDoesAllElse() throws IOException, InterruptedException {
        final ChildProcess.Result result = ChildProcess.java(folder, "-cp", ChildProcess.classPath(),
            FlaglessUser.class.getName());
        assertEquals("", result.errors());
        assertEquals(0, result.exitCode(), result.output());
        final List<String> lines = result.output().lines().toList();
        assertEquals(List.of("25", "25"), lines.subList(0, 2));
        final String flag = "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED";
        assertEquals(4, lines.size(), result.output());
        assertTrue(lines.get(2).contains(flag), lines.get(2));
        assertTrue(lines.get(3).contains(flag), lines.get(3));
    }
}
