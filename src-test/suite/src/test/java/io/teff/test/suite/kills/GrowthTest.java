package io.teff.test.suite.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: metrics that grow are reported, and no others. Method: samples of this process and of a folder. */
final class GrowthTest {
    private static final int SAMPLES = 12;
    /** So many for each sample that all are more than a tenth of what a process has. */
    private static final int FILES = 12;

    @TempDir
    private Path folder;
    private final Growth growth = new Growth();
    private final List<Long> self = List.of(ProcessHandle.current().pid());

    @Test
    void samples_thatStayTheSame_areNoGrowth() throws IOException {
        for (int i = 0; i < SAMPLES; i++) {
            growth.sample(self, folder);
        }
        assertEquals(List.of(), growth.faults());
    }

    @Test
    void files_thatGetMore_areTold() throws IOException {
        for (int i = 0; i < SAMPLES; i++) {
            for (int file = 0; file < FILES; file++) {
                Files.createFile(folder.resolve(i + "-" + file));
            }
            growth.sample(self, folder);
        }
        assertEquals(1, growth.faults().size(), () -> growth.faults().toString());
        assertTrue(growth.faults().getFirst().startsWith("FILES grow from "));
    }

    @Test
    void descriptors_thatGetMore_areTold() throws IOException {
        List<AutoCloseable> open = new ArrayList<>();
        try {
            for (int i = 0; i < SAMPLES; i++) {
                for (int file = 0; file < FILES; file++) {
                    open.add(Files.newInputStream(Files.writeString(folder.resolve("" + file), "text")));
                }
                growth.sample(self, folder);
            }
            assertTrue(growth.faults().stream().anyMatch(fault -> fault.startsWith("DESCRIPTORS grow from ")),
                () -> growth.faults().toString());
        } finally {
            for (AutoCloseable it : open) {
                close(it);
            }
        }
    }

    private static void close(AutoCloseable it) {
        try {
            it.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aShortRun_saysNothing() throws IOException {
        for (int i = 0; i < 3; i++) {
            Files.write(folder.resolve("file"), new byte[100 << 20 >> (4 - i)]);
            growth.sample(self, folder);
        }
        assertEquals(List.of(), growth.faults());
    }
}
