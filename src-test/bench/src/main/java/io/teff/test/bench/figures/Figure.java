package io.teff.test.bench.figures;

import java.util.Locale;

/**
 * One row of the catalog: what is measured, its bar, and where the number stands.
 *
 * @param area group of the row, such as {@code messages}
 * @param what the quantity, in words
 * @param bar {@code >= 2}, {@code <= 64}, or empty if nothing is asked
 * @param measured text with selectors in braces, whose values take their places ({@link ResultFile#select})
 * @param command the command that measures it
 * @param file the result file below docs/figures, or empty if a test holds the bar in each run
 * @param story the page or decision record that explains the figure, relative to docs; may be empty
 * @param line line in the catalog
 */
record Figure(String area, String what, String bar, String measured, String command, String file, String story,
    int line) {

    /**
     * Compares a value with the bar. A value that is rounded up to the bar is a miss where the row says MISSED.
     *
     * @param value of the row's first selector
     * @return {@code met}, {@code missed}, or an empty text if nothing is asked
     * @throws IllegalArgumentException if the bar has another form
     */
    String verdict(double value) {
        if (bar.isEmpty()) {
            return "";
        }
        double asked = asked();
        boolean isMet = bar.startsWith(">=") ? value >= asked : value <= asked;
        return isMet && !measured.contains("MISSED") ? "met" : "**missed**";
    }

    private double asked() {
        if (!bar.matches("[<>]= [0-9.]+")) {
            throw new IllegalArgumentException(String.format(Locale.ROOT,
                "catalog line %d: bar \"%s\" is not of the form \">= 2\" or \"<= 64\"", line, bar));
        }
        return Double.parseDouble(bar.substring(3));
    }
}
