package io.teff.cluster.log;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Logs nothing. */
final class SilentLogger implements System.Logger {
    @Override
    public String getName() {
        return "silent";
    }

    @Override
    public boolean isLoggable(Level level) {
        return false;
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {}

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format,
                    @Nullable Object @Nullable ... parameters) {}
}
