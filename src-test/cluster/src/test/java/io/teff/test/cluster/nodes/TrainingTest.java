package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that the JVM records for the AOT cache ends by itself, and leaves no process behind. */
@FullTier("20 s; the launcher makes a cache in each gate, without a look at processes that are left")
@Tag("processes")
final class TrainingTest {
    @TempDir
    private Path folder;

    @Test
    void program_ends_andLeavesNoProcess() throws Exception {
        Path run = folder.resolve("run");
        Result result = ChildProcess.java(folder, "--enable-native-access=ALL-UNNAMED",
            "-cp", ChildProcess.classPath(),
            "io.teff.cluster.terminal.cli.Training", run.toString());
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
        assertEquals(List.of(), ProcessHandle.allProcesses().filter(process -> process.info().arguments()
            .map(List::of).orElse(List.of()).stream().anyMatch(word -> word.startsWith(run.toString())))
            .map(ProcessHandle::info).toList());
    }
}
