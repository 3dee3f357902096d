package io.teff.test.bench.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every method writes and reads, and has every figure. */
@FullTier("Files are written in each way, one of the tests with runs, which take most of the 379 s of this "
    + "lane. DiskFiguresTest has the figures.")
final class DiskTrialTest {
    private static final int FILE_BYTES = 2 * Content.BYTES;
    private static final int BLOCK_BYTES = 1 << 20;

    private RealFolder folder;
    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        folder = RealFolder.make(Path.of("target"), FILE_BYTES);
        file = folder.path().resolve("file");
        DiskTrial.make(file, FILE_BYTES);
    }

    @AfterEach
    void removeFile() throws IOException {
        folder.close();
    }

    private static void assumeHere(DiskMethod kind) {
        String problem = kind.problem();
        assumeTrue(problem == null, () -> kind.title() + ": " + problem);
    }

    @ParameterizedTest
    @EnumSource
    void run_smallFile_hasEveryFigure(DiskMethod kind) throws IOException {
        assumeHere(kind);
        Map<String, Object> figures = new DiskTrial(new DiskPlan(kind, file, 1)).run();
        Set<String> expected = new LinkedHashSet<>(DiskFigures.COLUMNS);
        if (kind.isForPieces()) {
            expected.retainAll(Set.of("64 x 88 B ns"));
        } else if (kind.name().contains("NO_CACHE")) {
            expected.remove("88 B ns");
        }
        assertEquals(expected, figures.keySet());
        figures.forEach((name, value) -> assertTrue((Double) value > 0, () -> name + " is " + value));
    }

    @ParameterizedTest
    @EnumSource
    void write_allWays_isWhatIsReadAndWhatIsInTheFile(DiskMethod kind) throws IOException {
        assumeHere(kind);
        byte[] content = Content.array();
        int page = Content.PAGE_BYTES;
        try (Access access = kind.open(file)) {
            access.write(page, page);
            access.writePieces(2L * page, 2, page);
            access.writeSynced(4L * page, page);
            access.sync();
            ByteBuffer read = access.read(0, 5 * page);
            byte[] bytes = new byte[5 * page];
            read.get(bytes);
            int[] sources = {0, 0, 0, page, 0};
            for (int i = 0; i < sources.length; i++) {
                assertTrue(Arrays.equals(content, sources[i], sources[i] + page, bytes, i * page, (i + 1) * page),
                    kind + ", page " + i);
            }
        }
        try (var stream = Files.newInputStream(file)) {
            byte[] head = stream.readNBytes(5 * page);
            assertTrue(Arrays.equals(content, page, 2 * page, head, 3 * page, 4 * page), kind::title);
        }
    }

    @ParameterizedTest
    @EnumSource
    void readAll_allWays_showsEachBlockOnce(DiskMethod kind) throws IOException {
        assumeHere(kind);
        byte[] content = Content.array();
        List<Long> places = new ArrayList<>();
        try (Access access = kind.open(file)) {
            access.writeAll(FILE_BYTES, BLOCK_BYTES);
            access.readAll(FILE_BYTES, BLOCK_BYTES, (at, bytes) -> {
                places.add(at);
                assertEquals(ByteBuffer.wrap(content, 0, BLOCK_BYTES), bytes, kind::title);
            });
        }
        assertEquals(FILE_BYTES / BLOCK_BYTES, places.size());
        assertEquals(places.stream().sorted().distinct().toList(), places.stream().sorted().toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"CHANNEL_HEAP", "PWRITE", "RING", "MAPPED"})
    void readAll_beyondTheFile_isRefused(DiskMethod kind) throws IOException {
        assumeHere(kind);
        try (Access access = kind.open(file)) {
            assertThrows(Exception.class, () -> access.read(FILE_BYTES - BLOCK_BYTES / 2, BLOCK_BYTES));
        }
    }
}
