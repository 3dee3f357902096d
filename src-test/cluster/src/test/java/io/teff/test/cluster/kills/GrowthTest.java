package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: metrics that grow are reported, and no others. Method: samples of this process and of a folder. */
final class GrowthTest {
    private static final int SAMPLES = 30;
    private static final int YOUNG_SAMPLES = 12;
    /** Files or descriptors that a test adds for each sample. */
    private static final int FILES = 12;
    private static final int LENGTH = 1 << 25;
    private static final int RING_FILES = 10;

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
        assertGrows("FILES");
    }

    @Test
    void filesOfAYoungCluster_thatGetMoreThanItsZonesNeed_areTold() throws IOException {
        for (int i = 0; i < YOUNG_SAMPLES; i++) {
            for (int file = 0; file < 2 * FILES; file++) {
                Files.createFile(folder.resolve(i + "-" + file));
            }
            growth.sample(self, folder);
        }
        assertGrows("FILES");
    }

    private void assertGrows(String metric) {
        assertEquals(1, growth.faults().size(), () -> growth.faults().toString());
        assertTrue(growth.faults().getFirst().startsWith(metric + " grow from "), () -> growth.faults().toString());
    }

    @Test
    void bytesOfFiles_thatGetMore_areTold() throws IOException {
        for (int i = 0; i < SAMPLES; i++) {
            lengthen(folder.resolve("file"), (long) i * LENGTH);
            growth.sample(self, folder);
        }
        assertGrows("FILE_KIB");
    }

    @Test
    void filesOfALogsRing_areToldAboveTheirBound_only() throws IOException {
        for (int i = 0; i < SAMPLES; i++) {
            lengthen(folder.resolve("primary-" + Math.min(i, RING_FILES - 1)), LENGTH);
            growth.sample(self, folder);
            assertEquals(List.of(), growth.faults());
        }
        Files.createFile(folder.resolve("primary-" + RING_FILES));
        growth.sample(self, folder);
        assertEquals(List.of("a log's ring has 11 files, more than 10"), growth.faults());
    }

    private static void lengthen(Path file, long bytes) throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(bytes);
        }
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
    void filesOfAYoungCluster_mayGetMore() throws IOException {
        for (int i = 0; i < SAMPLES - 1; i++) {
            Files.createFile(folder.resolve("file-" + i));
            growth.sample(self, folder);
        }
        assertEquals(List.of(), growth.faults());
        Files.createFile(folder.resolve("file-" + SAMPLES));
        growth.sample(self, folder);
        assertGrows("FILES");
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
