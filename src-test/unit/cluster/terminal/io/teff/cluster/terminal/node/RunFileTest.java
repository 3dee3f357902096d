package io.teff.cluster.terminal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.NodeLife;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node's process writes about itself, and whether a process is that one. */
final class RunFileTest {
    @TempDir
    private Path folder;

    @Test
    void write_thenRead_isEqual_andDeletedAfterwards() throws Exception {
        assertNull(RunFile.read(folder));
        RunFile file = new RunFile(ProcessId.current(), new NodeLife(17, 3));
        file.write(folder);
        assertEquals(file, RunFile.read(folder));
        RunFile.delete(folder);
        assertNull(RunFile.read(folder));
    }

    @Test
    void read_damagedFile_isNone() throws Exception {
        Files.writeString(folder.resolve("node.run"), "teff run 2\nprocess 12\n");
        assertNull(RunFile.read(folder));
    }

    @Test
    void processId_ofAnotherStart_isAnotherProcess() {
        ProcessId own = ProcessId.current();
        assertTrue(own.isAlive());
        assertFalse(new ProcessId(own.pid(), own.start() + "0").isAlive(), "the number was used again");
        assertFalse(new ProcessId(own.pid(), "0" + own.start()).isAlive(), "the machine was started anew");
        assertFalse(new ProcessId(Integer.MAX_VALUE, own.start()).isAlive());
        assertEquals(own, ProcessId.current());
    }

    @Test
    void processId_ofAProcessThatHasEnded_isNotAlive() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        ProcessId id = ProcessId.of(process.toHandle());
        assertTrue(id.isAlive());
        process.destroyForcibly().waitFor();
        assertFalse(id.isAlive());
    }
}
