package io.teff.tools.console;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows the progress of an operation at regular intervals: every 200 ms in one rewritten line on a terminal, every two
 * seconds in a new line elsewhere.
 *
 * <p>A daemon thread asks for the text and prints it, so the operation never reads the clock for it. {@link #close}
 * ends the thread's output, and clears the line on a terminal.
 */
public final class ProgressLine implements AutoCloseable {
    /** How progress is shown. */
    public enum Style {
        /** Progress is not shown. */
        NONE,
        /** Each text is a line of its own. */
        LINES,
        /** One line of a terminal, rewritten each time. */
        REWRITTEN
    }

    private static final long LINES_MS = 2_000;
    private static final long REWRITTEN_MS = 200;
    private static final int WIDTH_MAX = 79;

    private final PrintWriter out;
    private final Style style;
    private final Supplier<String> text;
    private final CountDownLatch closed = new CountDownLatch(1);

    private ProgressLine(PrintWriter out, Style style, Supplier<String> text) {
        this.out = out;
        this.style = style;
        this.text = text;
    }

    /** Starts to show the text that {@code text} returns; the first output follows one interval later. */
    public static ProgressLine start(PrintWriter out, Style style, Supplier<String> text) {
        ProgressLine line = new ProgressLine(out, style, text);
        if (style != Style.NONE) {
            Thread thread = new Thread(line::showUntilClosed, "progress");
            thread.setDaemon(true);
            thread.start();
        }
        return line;
    }

    /** Returns the style for this process: {@link Style#REWRITTEN} on a terminal, {@link Style#LINES} elsewhere. */
    public static Style suitable() {
        var console = System.console();
        return console != null && console.isTerminal() ? Style.REWRITTEN : Style.LINES;
    }

    private void showUntilClosed() {
        try {
            while (!closed.await(style == Style.LINES ? LINES_MS : REWRITTEN_MS, TimeUnit.MILLISECONDS)) {
                show();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void show() {
        if (closed.getCount() == 0) {
            return;
        }
        String line = text.get();
        if (style == Style.REWRITTEN) {
            String cut = line.substring(0, Math.min(line.length(), WIDTH_MAX));
            out.print('\r' + cut + " ".repeat(WIDTH_MAX - cut.length()));
        } else {
            out.println(line);
        }
        out.flush();
    }

    @Override
    public synchronized void close() {
        closed.countDown();
        if (style == Style.REWRITTEN) {
            out.print('\r' + " ".repeat(WIDTH_MAX) + '\r');
            out.flush();
        }
    }
}
