package io.teff.cluster.terminal.node;

import io.teff.engine.os.Clock;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A log for users: a line for each event, with the event's time. Other processes can cause events at any rate, so at
 * most {@link #LINES_MAX} lines are written per second and the rest is counted. The file is renamed at a length of
 * {@link #BYTES_MAX}; a single older file is kept. Thread-safe.
 */
public final class LogFile implements Consumer<String>, AutoCloseable {
    static final int LINES_MAX = 100;
    static final long BYTES_MAX = 16L << 20;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path file;
    private final Clock clock;
    private BufferedWriter writer;
    private long bytes;
    private long secondNs;
    private int lines;
    private long omitted;
    private boolean isClosed;

    /**
     * Opens a log; appends to an existing file.
     *
     * @param file path of the log; missing folders are made
     * @param clock gives the times of the lines
     * @throws IOException if the file cannot be opened
     */
    public LogFile(Path file, Clock clock) throws IOException {
        this.file = file;
        this.clock = clock;
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        writer = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        bytes = Files.size(file);
        secondNs = clock.nowNs();
    }

    /**
     * Writes a line with a level, as {@link #accept(String)} does.
     *
     * @param level the level, written before the text
     * @param text the line
     */
    void accept(System.Logger.Level level, String text) {
        accept(String.format("%-7s %s", level, text));
    }

    /**
     * Writes a line; line feeds in the text become blanks. A failure of the disk is ignored: a failed log does not end
     * a node.
     *
     * @param text the line
     */
    @Override
    public synchronized void accept(String text) {
        long now = clock.nowNs();
        if (now - secondNs >= SECOND_NS) {
            secondNs = now;
            lines = 0;
        }
        if (isClosed || lines >= LINES_MAX) {
            omitted++;
            return;
        }
        try {
            if (omitted > 0) {
                write(omitted + " more lines were left out");
                omitted = 0;
            }
            write(text);
            writer.flush();
        } catch (IOException _) {
            omitted++;
        }
    }

    private void write(String text) throws IOException {
        String line = Instant.ofEpochMilli(clock.epochMs()).truncatedTo(ChronoUnit.MILLIS) + " "
            + text.replace('\n', ' ') + "\n";
        if (bytes + line.length() > BYTES_MAX) {
            writer.close();
            Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            writer = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            bytes = 0;
        }
        writer.write(line);
        bytes += line.length();
        lines++;
    }

    /** Closes the file; later lines are dropped. Idempotent. */
    @Override
    public synchronized void close() {
        isClosed = true;
        try {
            writer.close();
        } catch (IOException _) {
            omitted++;
        }
    }
}
