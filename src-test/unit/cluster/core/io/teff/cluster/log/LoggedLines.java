package io.teff.cluster.log;

import io.teff.engine.os.Clock;
import java.util.List;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A logger that keeps its lines for a test, each with its level. Thread-safe. */
public final class LoggedLines implements System.Logger {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    /** Returns a log that writes here. */
    public NodeLog log() {
        return new NodeLog(this, Clock.SYSTEM);
    }

    /** Returns the lines up to now. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Returns whether a line contains a text. */
    public boolean contains(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    @Override
    public String getName() {
        return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
        return true;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
        lines.add(level + " " + text);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
        lines.add(level + " " + format);
    }
}
