package io.teff.test.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description of a machine, and its sources. */
final class MachineTest {
    @TempDir
    private Path folder;

    @Test
    void here_thisMachine_isDescribed() {
        Machine machine = Machine.here();
        assertFalse(machine.processor().isBlank() || machine.kernel().isBlank(), machine::toString);
        assertEquals(Runtime.getRuntime().availableProcessors(), machine.processors());
        assertTrue(machine.memoryBytes() >= Runtime.getRuntime().totalMemory(), machine::toString);
        assertTrue(machine.jdk().startsWith(Runtime.version() + ", "), machine::toString);
        assertFalse(machine.date().isAfter(Instant.now()), machine::toString);
    }

    @Test
    void processor_fileWithModelNames_isTheFirst() throws IOException {
        Path cpuinfo = Files.writeString(folder.resolve("cpuinfo"),
            "processor\t: 0\nmodel\t\t: 49\nmodel name\t: Abacus: 9\n\nprocessor\t: 1\nmodel name\t: other\n");
        assertEquals("Abacus: 9", Machine.processor(cpuinfo));
    }

    @Test
    void processor_noNameOrNoFile_isTheArchitecture() throws IOException {
        assertEquals(System.getProperty("os.arch"), Machine.processor(folder.resolve("none")));
        assertEquals(System.getProperty("os.arch"),
            Machine.processor(Files.writeString(folder.resolve("cpuinfo"), "BogoMIPS\t: 50.00\n")));
    }

    @Test
    void commit_outsideOfACheckout_isNull() {
        assertNull(Machine.commit(folder));
        assertNull(Machine.commit(folder.resolve("none")));
    }

    @Test
    void commit_folderOfACheckout_isItsCommitAndWhetherItWasChanged() throws IOException, InterruptedException {
        assumeTrue(git("init", "-q"), "git is installed");
        Path file = Files.writeString(folder.resolve("file"), "one");
        Path inner = Files.createDirectory(folder.resolve("inner"));
        assertTrue(git("add", "file"));
        assertTrue(git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "Add a file"));
        assertTrue(git("tag", "a-tag"));
        String commit = Machine.commit(inner);
        assertTrue(commit != null && commit.matches("[0-9a-f]{40}"), commit);
        Files.writeString(file, "another");
        assertEquals(commit + "-dirty", Machine.commit(inner));
    }

    private boolean git(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void text_withoutACommit_saysSo() {
        Machine sample = Sample.MACHINE;
        String text = new Machine(sample.processor(), 4, sample.memoryBytes(), sample.kernel(), sample.jdk(),
            sample.date(), null).text();
        assertTrue(text.endsWith("\ncommit: not known\n"), text);
    }
}
