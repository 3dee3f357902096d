package io.teff.cluster.terminal.local;

import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the log of a node as it grows: first the last lines of the log, then each new line. When a long log is renamed,
 * the renamed file is read to its end before the new file. For one thread.
 */
final class LogTail {
    /** Suffix of the name of a renamed log. */
    private static final String OLDER = ".1";

    private final String name;
    private final Path file;
    private long position;
    private String time = "";

    /**
     * A line of a log.
     *
     * @param time the line's time, or the time of the line before: lines of exceptions have no time
     * @param name name of the node
     * @param text the whole line
     */
    record Line(String time, String name, String text) {}

    LogTail(String name, Path file) {
        this.name = name;
        this.file = file;
    }

    /** Returns the last lines of a file; an empty list if there is no file. */
    static List<String> lastLines(Path file, int count) {
        return new LogTail("", file).last(count).stream().map(Line::text).toList();
    }

    /** Returns the name of the node. */
    String name() {
        return name;
    }

    /** Returns the last lines up to now; {@link #next} begins behind these lines. */
    List<Line> last(int count) {
        List<Line> all = next();
        return all.subList(Math.max(all.size() - Math.max(count, 0), 0), all.size());
    }

    /** Returns the complete lines written since the last call. */
    List<Line> next() {
        try {
            StringBuilder text = new StringBuilder();
            long size = Files.exists(file) ? Files.size(file) : 0;
            if (size < position) {                              // a new file has begun
                text.append(read(file.resolveSibling(file.getFileName() + OLDER), position));
                position = 0;
            }
            String more = read(file, position);
            position += more.getBytes(StandardCharsets.UTF_8).length;
            return lines(text.append(more).toString());
        } catch (IOException e) {
            throw new CommandFailure("the file " + file + " cannot be read: " + FailureText.of(e), e);
        }
    }

    private List<Line> lines(String text) {
        List<Line> lines = new ArrayList<>();
        text.lines().forEach(line -> {
            int blank = line.indexOf(' ');
            if (blank > 0 && Character.isDigit(line.charAt(0))) {
                time = line.substring(0, blank);
            }
            lines.add(new Line(time, name, line));
        });
        return lines;
    }

    /** Returns the text of a file from a position up to its last line feed; nothing if there is no file. */
    private static String read(Path file, long from) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            stream.skipNBytes(Math.min(from, Files.size(file)));
            byte[] bytes = stream.readAllBytes();
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;                                          // a line, or a letter of it, is not complete yet
            }
            return new String(bytes, 0, end, StandardCharsets.UTF_8);
        } catch (NoSuchFileException _) {
            return "";
        }
    }
}
