package io.teff.tools.console;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows now and then how far some work is: on a terminal in one line that is written over, elsewhere in a line each
 * time.
 *
 * <p>The text is asked for by a thread of its own, so the work need not look at the clock. Close it when the work is
 * done; on a terminal the line disappears then, because the report says everything that remains of interest.
 */
public final class ProgressLine implements AutoCloseable {
    /** How progress is shown. */
    public enum Style {
        /** Not at all. */
        NONE,
        /** As lines below each other. */
        LINES,
        /** As one line that is written over. */
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

    /** Begins to show a text that changes; the first time after a while. */
    public static ProgressLine start(PrintWriter out, Style style, Supplier<String> text) {
        ProgressLine line = new ProgressLine(out, style, text);
        if (style != Style.NONE) {
            Thread thread = new Thread(line::showUntilClosed, "progress");
            thread.setDaemon(true);
            thread.start();
        }
        return line;
    }

    /** The style that suits this process: a terminal gets one line that is written over. */
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
