package io.teff.cluster.terminal.demo;

import java.io.PrintWriter;

/**
 * Lines that stay, and below them, at a terminal, one that is written anew. Thread-safe.
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

    /** Prints a line that stays. */
    synchronized void print(String line) {
        out.println((live.isEmpty() ? "" : CLEAR) + line);
        out.print(live);
        out.flush();
    }

    /** Replaces the line below; without a terminal it is not shown. An empty one removes it. */
    synchronized void show(String text) {
        if (isTerminal) {
            live = text.substring(0, Math.min(text.length(), WIDTH_MAX));
            out.print(CLEAR + live);
            out.flush();
        }
    }
}
