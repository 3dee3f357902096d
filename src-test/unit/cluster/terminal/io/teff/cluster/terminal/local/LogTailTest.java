package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log is read as it grows, line by line, also if it is renamed meanwhile. */
final class LogTailTest {
    @TempDir
    private Path folder;

    private Path file;
    private LogTail tail;

    @BeforeEach
    void open() {
        file = folder.resolve("node.log");
        tail = new LogTail("peer-1", file);
    }

    private void append(String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static List<String> texts(List<LogTail.Line> lines) {
        return lines.stream().map(LogTail.Line::text).toList();
    }

    @Test
    void lines_followEachOther_andNoneIsReadTwice() throws IOException {
        assertEquals(List.of(), tail.last(5), "no file yet");
        append("1 a\n2 b\n3 c\n");
        assertEquals(List.of("2 b", "3 c"), texts(tail.last(2)));
        assertEquals(List.of(), tail.next());
        append("4 d\n");
        assertEquals(List.of("4 d"), texts(tail.next()));
        assertEquals(List.of(), texts(tail.last(0)));
    }

    @Test
    void incompleteLine_isReadWhenItsEndIsThere_alsoInTheMiddleOfALetter() throws IOException {
        byte[] line = "1 über\n".getBytes(StandardCharsets.UTF_8);
        Files.write(file, Arrays.copyOf(line, 3));
        assertEquals(List.of(), tail.next());
        Files.write(file, Arrays.copyOfRange(line, 3, line.length), StandardOpenOption.APPEND);
        assertEquals(List.of("1 über"), texts(tail.next()));
    }

    @Test
    void renamedFile_isReadToItsEnd_beforeTheNewOne() throws IOException {
        append("1 a\n2 b\n");
        assertEquals(2, tail.next().size());
        append("3 c\n");
        Files.move(file, folder.resolve("node.log.1"));
        append("4 d\n");
        assertEquals(List.of("3 c", "4 d"), texts(tail.next()));
    }

    @Test
    void lineWithoutATime_hasThatOfTheLineBefore() throws IOException {
        append("2026-01-01T00:00:00.000Z ERROR fault\n  at somewhere\n");
        assertEquals(List.of("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"),
            tail.next().stream().map(LogTail.Line::time).toList());
    }
}
