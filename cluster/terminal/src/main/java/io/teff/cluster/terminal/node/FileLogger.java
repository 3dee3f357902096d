package io.teff.cluster.terminal.node;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events of a node to its log file: a line with time, level and text for each event. If the process has a
 * backend of {@link System.Logger} beside the JDK's backend, this backend receives the events, too. Thread-safe.
 */
final class FileLogger implements System.Logger {
    private final String name;
    private final LogFile file;
    private final System.@Nullable Logger backend;

    /**
     * Makes the logger of a node.
     *
     * @param name name of the logger
     * @param file receives all lines
     * @param backend receives all lines, too; or null
     */
    FileLogger(String name, LogFile file, System.@Nullable Logger backend) {
        this.name = name;
        this.file = file;
        this.backend = backend;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return level.getSeverity() >= Level.INFO.getSeverity()
            || backend != null && backend.isLoggable(level);
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {
        if (level.getSeverity() >= Level.INFO.getSeverity()) {
            file.accept(level, String.valueOf(text));
            if (thrown != null) {
                for (StackTraceElement frame : thrown.getStackTrace()) {
                    file.accept(level, "  at " + frame);
                }
            }
        }
        if (backend != null) {
            backend.log(level, bundle, text, thrown);
        }
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format,
                    @Nullable Object @Nullable ... parameters) {
        log(level, bundle, parameters == null || parameters.length == 0 ? format
            : MessageFormat.format(String.valueOf(format), parameters), (Throwable) null);
    }
}
