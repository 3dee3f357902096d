package io.teff.cluster.log;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;

/** The last lines of a log, in memory. Thread-safe. */
final class LogLines {
    /** Most lines. */
    static final int LINES_MAX = 256;
    /** Most characters of a line; the rest of a longer line is cut off. */
    static final int CHARS_MAX = 1_000;

    private final ArrayDeque<String> lines = new ArrayDeque<>();

    synchronized void add(long epochMs, System.Logger.Level level, String text) {
        final String line = Instant.ofEpochMilli(epochMs).truncatedTo(ChronoUnit.MILLIS) + " " + level.getName() + " "
            + text.replaceAll("\\R", " | ");
        lines.addLast(line.length() <= CHARS_MAX ? line : line.substring(0, CHARS_MAX));
        if (lines.size() > LINES_MAX) {
            lines.removeFirst();
        }
    }

    /** Returns the last lines, at most a number. */
    synchronized List<String> last(int count) {
        return lines.stream().skip(Math.max(lines.size() - count, 0)).toList();
    }
}
