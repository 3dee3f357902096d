package io.teff.test.bench.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.BenchCommand;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.kit.tier.LongTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, tiny: on this machine, and in the guest where one is built. */
@FullTier("JVMs that run the benchmark, one of the tests with runs, which take most of the 379 s of this lane. "
    + "BenchHelpTest has its command line, and RdmaFiguresTest its figures.")
@Tag("processes")
final class RdmaCommandTest {
    @TempDir
    private Path folder;

    private ChildProcess.Result run(String... arguments) throws IOException, InterruptedException {
        final List<String> flags = List.of("--enable-native-access=ALL-UNNAMED", "-Djmh.ignoreLock=true",
            "-Dteff.session.flags=-XX:-AlwaysPreTouch,-XX:TieredStopAtLevel=1,--enable-native-access=ALL-UNNAMED",
            "-Dteff.root=" + GuestRun.project(), "-cp", ChildProcess.classPath(), BenchCommand.class.getName(), "rdma",
            "--rounds", "1", "--measure-ms", "20", "--out", folder.toString());
        final List<String> command = new ArrayList<>(List.of(ChildProcess.java()));
        command.addAll(flags);
        command.addAll(List.of(arguments));
        return ChildProcess.run(folder, System.getenv(), command);
    }

    private Map<?, ?> figures() throws IOException {
        return (Map<?, ?>) JSON.std.mapFrom(Files.readString(folder.resolve("rdma.json"))).get("figures");
    }

    @Test
    void run_here_writesAllFiles() throws IOException, InterruptedException {
        final ChildProcess.Result result = run("--kinds", "^socket", "--patterns", "ping-pong", "--bytes", "8,64");
        assertEquals(0, result.exitCode(), result::errors);
        assertEquals(Files.readString(folder.resolve("rdma.txt")).strip(), result.output().strip());
        assertTrue(result.output().contains("caution: Both ends are on one machine"), result::output);
        assertTrue(Files.readString(folder.resolve("rdma-ping-pong.svg")).startsWith("<svg "));
        assertTrue(Files.readString(folder.resolve("rdma.csv")).contains("\nsocket-spin,ping-pong,64,p50 us,"));
        assertEquals(Set.of("socket", "socket-spin"), figures().keySet());
    }

    /** Minutes in the guest, in the long form; the lane rdma has the devices. */
    @Test
    @LongTier("Two minutes in the guest. run_here_writesAllFiles has the same command without devices.")
    void run_devices_areMeasuredInTheGuest_orLeftOutWithAReason() throws IOException, InterruptedException {
        final ChildProcess.Result result = run("--kinds", "^(loop-c|teff-verbs|perftest)$", "--patterns", "write-rate",
            "--bytes", "4096");
        final String text = Files.readString(folder.resolve("rdma.txt"));
        if (figures().isEmpty()) {
            assertTrue(text.contains("no guest is built"), () -> text + result.errors());
            System.out.println("rdma bench: no guest is built, devices are left out");
            return;
        }
        assertEquals(0, result.exitCode(), result::errors);
        assertEquals(ToolTrial.isInstalled("ib_send_lat") ? Set.of("loop-c", "teff-verbs", "perftest")
            : Set.of("loop-c", "teff-verbs"), figures().keySet());
        assertTrue(text.contains("say nothing about RDMA hardware"), text);
        final Object wire = ((Map<?, ?>) ((Map<?, ?>) figures().get("teff-verbs")).get("write-rate 4096 B: wire B"))
            .get("median");
        assertTrue((Double) wire > 4096, "the wire has the payload and headers: " + wire);
    }

    @Test
    void run_deviceKindsWithoutGuest_areLeftOut() throws IOException, InterruptedException {
        final ChildProcess.Result result = run("--kinds", "device-socket$", "--patterns", "ping-pong", "--no-guest");
        assertTrue(figures().isEmpty() == result.output().contains("left out: device-socket"), result::output);
    }
}
