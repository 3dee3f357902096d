package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.log.file.LogFailure;
import io.teff.test.kit.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a frame that grows needs memory for the larger one alone. Method: a child JVM whose direct memory has room for
 * each of two frames, and not for both.
 */
@Tag("system")
@Tag("processes")
final class GrowingFrameTest {
    private static final int MIB = 1 << 20;

    /** The child. */
    public static final class Child {
        private Child() {}

        /** Grows the frame of a log. */
        public static void main(String[] arguments) throws IOException {
            final FaultDisk disk = new FaultDisk();
            final Path folder = FaultDisk.ROOT.resolve("log");
            disk.createFolders(folder);
            try (PrimaryLog primary = PrimaryLog.open(disk, folder, Ledger.LOG, 17 * MIB, 16 * MIB, 1,
                    new LogFailure())) {
                primary.frame(5 * MIB);                         // takes twice as much, 10 MiB
                primary.frame(12 * MIB);                        // takes the most, 16 MiB
            }
        }
    }

    @Test
    void frame_thatGrows_needsNoMemoryForTwo() throws Exception {
        final ChildProcess.Result result = ChildProcess.java(Path.of("").toAbsolutePath(), "-Xmx256m",
            "-XX:MaxDirectMemorySize=20m", "--enable-native-access=ALL-UNNAMED", "-cp", ChildProcess.everything(),
            Child.class.getName());
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
    }
}
