package io.teff.cluster.terminal.status;

import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Frames that replace each other at a terminal, until the user presses q. Without a terminal, frames follow each other
 * until the process ends.
 *
 * <p>Keys are read one by one, by program {@code stty}. Without {@code stty}, the key q counts after a line feed.
 */
final class Screen implements AutoCloseable {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String HOME = "\033[H";
    private static final String CLEAR_LINE = "\033[K\n";
    private static final String CLEAR_BELOW = "\033[J";
    private static final int SAVED_CHARS_MAX = 512;

    private final boolean isTerminal;
    /** The terminal's settings of before, or null. */
    private final @Nullable String saved;
    private final Thread restorer;
    private volatile boolean isLeft;
    private boolean isFirst = true;

    private Screen(boolean isTerminal, @Nullable String saved) {
        this.isTerminal = isTerminal;
        this.saved = saved;
        restorer = Threads.SYSTEM.create("teff-terminal", this::restore);
    }

    /** Returns whether people look at the output, and can press keys. */
    static boolean isTerminal() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    /** Begins frames without a terminal. */
    static Screen none() {
        return new Screen(false, null);
    }

    /** Begins frames at the terminal. */
    static Screen open() {
        Screen screen = new Screen(true, stty("-g"));
        if (screen.saved != null) {
            stty("-icanon", "-echo", "min", "1");
            Runtime.getRuntime().addShutdownHook(screen.restorer);
        }
        Threads.SYSTEM.start("teff-keys", () -> screen.readKeys(System.in));
        return screen;
    }

    /** Runs stty for the terminal of this process; returns the output of stty, or null after a failure. */
    private static @Nullable String stty(String... words) {
        try {
            List<String> command = new ArrayList<>(List.of("stty"));
            command.addAll(List.of(words));
            Process process = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String printed = new String(process.getInputStream().readNBytes(SAVED_CHARS_MAX),
                StandardCharsets.US_ASCII).strip();
            return process.onExit().join().exitValue() == 0 ? printed : null;
        } catch (IOException _) {
            return null;                                        // there is no such program
        }
    }

    /** Reads keys until a key is q. */
    void readKeys(InputStream keys) {
        try {
            int key = keys.read();
            while (key >= 0 && Character.toLowerCase(key) != 'q') {
                key = keys.read();
            }
            isLeft |= key >= 0;
        } catch (IOException _) {
            return;                                             // there are no more keys
        }
    }

    /** Waits for the time of the next frame; returns whether the user has left. */
    boolean isLeft(long ns) {
        long end = Clock.SYSTEM.nowNs() + ns;
        while (!isLeft && Clock.SYSTEM.nowNs() - end < 0) {
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
        return isLeft;
    }

    /** Returns the output to show a text. The text ends with a line feed. */
    String frame(String text) {
        boolean wasFirst = isFirst;
        isFirst = false;
        if (!isTerminal) {
            return wasFirst ? text : "\n" + text;
        }
        return (wasFirst ? HOME + CLEAR_BELOW : HOME) + text.replace("\n", CLEAR_LINE) + "q ends" + CLEAR_BELOW;
    }

    private void restore() {
        if (saved != null) {
            stty(saved);
        }
    }

    /** Gives the terminal back. */
    @Override
    public void close() {
        if (saved != null) {
            restore();
            Runtime.getRuntime().removeShutdownHook(restorer);
        }
    }
}
