package io.teff.cluster.terminal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a node: one line for each event, limited in rate and size. */
final class LogFileTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @TempDir
    private Path folder;
    private final AtomicLong now = new AtomicLong();
    private final Clock clock = now::get;

    @Test
    void accept_lineFeeds_becomeBlanks() throws Exception {
        Path file = folder.resolve("new/node.log");
        try (LogFile log = new LogFile(file, clock)) {
            log.accept("one\ntwo");
        }
        assertEquals(List.of("1970-01-01T00:00:00Z one two"), Files.readAllLines(file));
    }

    @Test
    void accept_tooManyLinesInASecond_areCounted() throws Exception {
        Path file = folder.resolve("node.log");
        try (LogFile log = new LogFile(file, clock)) {
            for (int i = 0; i < LogFile.LINES_MAX + 7; i++) {
                log.accept("line " + i);
            }
            assertEquals(LogFile.LINES_MAX, Files.readAllLines(file).size());
            now.addAndGet(SECOND_NS);
            log.accept("later");
        }
        List<String> lines = Files.readAllLines(file);
        assertTrue(lines.get(LogFile.LINES_MAX).endsWith("7 more lines were left out"), lines::toString);
        assertTrue(lines.getLast().endsWith("later"), lines::toString);
    }

    @Test
    void accept_beyondTheSize_beginsANewFile_andKeepsOne() throws Exception {
        Path file = folder.resolve("node.log");
        String line = "x".repeat(1 << 20);
        try (LogFile log = new LogFile(file, clock)) {
            for (int i = 0; i < 40; i++) {
                log.accept(line);
                now.addAndGet(SECOND_NS);
            }
        }
        assertTrue(Files.size(file) <= LogFile.BYTES_MAX);
        assertTrue(Files.size(folder.resolve("node.log.1")) <= LogFile.BYTES_MAX);
        try (var files = Files.list(folder)) {
            assertEquals(2, files.count());
        }
    }
}
