package io.teff.cluster.terminal.demo;

import java.io.PrintWriter;

/**
 * Lines of output, and at a terminal a last line with changing text below the other lines. Thread-safe.
 */
final class LiveLine {
    private static final String CLEAR = "\r\033[K";
    private static final int WIDTH_MAX = 100;

    private final PrintWriter out;
    private final boolean isTerminal;
    private String live = "";

    LiveLine(PrintWriter out, boolean isTerminal) {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** Returns whether people look at the output. */
    static boolean isTerminal() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    /** Prints a line above the last line. */
    synchronized void print(String line) {
        out.println((live.isEmpty() ? "" : CLEAR) + line);
        out.print(live);
        out.flush();
    }

    /** Replaces the text of the last line; does nothing without a terminal. An empty text removes the last line. */
    synchronized void show(String text) {
        if (isTerminal) {
            live = text.substring(0, Math.min(text.length(), WIDTH_MAX));
            out.print(CLEAR + live);
            out.flush();
        }
    }
}
