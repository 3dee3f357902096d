package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.DiskLock;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which program the nodes of a cluster have; this process stands for the supervisor. */
final class ProgramChangeTest {
    private static final int PORT = 1_100;
    private static final Program OTHER = new Program("/other/classes");

    @TempDir
    private Path folder;

    private ClusterFolder cluster() throws Exception {
        return ClusterFolder.create(folder.resolve("cluster"), ClusterPlan.of(1, 2, PORT));
    }

    @Test
    void relativeEntries_becomeAbsolute() {
        assertEquals("/a/lib/*" + File.pathSeparator + "/b", Program.of("lib/*" + File.pathSeparator + "/b",
            Path.of("/a")).classPath());
        assertTrue(Program.current().isCurrent());
    }

    @Test
    void program_isThatOfThePresentSupervisor() throws Exception {
        ClusterFolder cluster = cluster();
        assertNull(cluster.program(), "there is no supervisor");
        try (DiskLock _ = cluster.lock()) {
            assertNull(cluster.program(), "a supervisor of a version that notes no program");
            cluster.noteProgram(OTHER, false);
            assertEquals(OTHER, cluster.program());
            Path note = cluster.path().resolve("supervisor.program");
            Files.writeString(note, Files.readString(note).replaceFirst("\\d+", "1"));
            assertNull(cluster.program(), "the note of a supervisor that has ended");
        }
    }

    @Test
    void samePrograms_needNoChange() throws Exception {
        ClusterFolder cluster = cluster();
        try (DiskLock _ = cluster.lock()) {
            cluster.noteProgram(OTHER, false);
            assertNull(ProgramChange.begin(cluster, OTHER, line -> {
                throw new AssertionError(line);
            }));
        }
    }

    @Test
    void supervisorInTheForeground_isNotReplaced() throws Exception {
        ClusterFolder cluster = cluster();
        try (DiskLock _ = cluster.lock()) {
            cluster.noteProgram(OTHER, true);
            CommandFailure refused = assertThrows(CommandFailure.class, () -> ProgramChange.begin(cluster,
                Program.current(), _ -> { }));
            assertTrue(String.valueOf(refused.getMessage()).contains("--foreground"), refused::getMessage);
        }
    }
}
